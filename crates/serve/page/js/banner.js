// The banner of a server that does not answer: what is safe, when it is asked again, and a button to do so now.

import { connection } from './api.js';
import { byId, toast } from './dom.js';
import { t } from './words.js';

export function banner() {
  const place = byId('banner');
  let timer = 0;
  let lost = false;
  const draw = () => {
    const seconds = Math.ceil((connection.next - Date.now()) / 1000);
    byId('banner-when').textContent = connection.next && seconds > 0 ? t('banner.wait', { seconds }) : t('banner.trying');
  };
  byId('banner-now').addEventListener('click', () => connection.retry());
  connection.addEventListener('change', () => {
    place.hidden = connection.up;
    clearInterval(timer);
    if (connection.up) {
      if (lost) toast(t('banner.back'));
      lost = false;
      return;
    }
    if (!lost) byId('banner-text').textContent = t('banner.lost');
    lost = true;
    draw();
    timer = setInterval(draw, 500);
  });
}
