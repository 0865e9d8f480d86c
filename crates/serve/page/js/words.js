// Every word the page says, in English and in Chinese: one line a text, in the order of the two languages.
// Names in braces are filled in. `tests/words.rs` holds that no text is missing and none is left over.

import { kept } from './dom.js';

const LANGUAGES = ['en', 'zh'];

const WORDS = {
  'nav.play': ['Play', '对局'],
  'nav.puzzles': ['Find the move', '找出好棋'],
  'nav.assistant': ['Threes assistant', 'Threes 助手'],
  'nav.training': ['Training', '训练'],
  'nav.label': ['Views', '页面'],
  'nav.skip': ['Skip to the game', '跳到棋盘'],
  'page.title': ['Play and analyse', '对局与分析'],
  'theme.light': ['Switch to light', '切换到浅色'],
  'theme.dark': ['Switch to dark', '切换到深色'],
  'language.other': ['中文', 'English'],
  'undo': ['Undo', '撤销'],
  'redo': ['Redo', '重做'],
  'back': ['Back', '返回'],
  'close': ['Close', '关闭'],
  'cancel': ['Cancel', '取消'],
  'board': ['Board', '棋盘'],
  'move.up': ['up', '上'],
  'move.right': ['right', '右'],
  'move.down': ['down', '下'],
  'move.left': ['left', '左'],

  'banner.lost': ['The server does not answer. Your game is safe in this browser.', '服务器没有响应。您的对局已安全保存在浏览器中。'],
  'banner.wait': ['Trying again in {seconds} s.', '{seconds} 秒后重试。'],
  'banner.trying': ['Trying …', '正在重试……'],
  'banner.now': ['Try now', '立即重试'],
  'banner.back': ['The server answers again', '服务器已恢复'],

  'busy.seconds': ['({seconds} s)', '（{seconds} 秒）'],
  'busy.thinking': ['Thinking …', '思考中……'],
  'busy.loading': ['Loading the player of {game}, once for all answers …', '正在加载 {game} 的模型，仅首次需要……'],
  'busy.move': ['One moment …', '请稍候……'],
  'busy.opening': ['Opening the game …', '正在打开对局……'],

  'game.new': ['New game', '新对局'],
  'game.new.done': ['A new game. The one before is kept.', '已开始新对局，之前的对局已保存。'],
  'game.new.undo': ['Back to it', '回到之前'],
  'game.back': ['Back in the game before', '已回到之前的对局'],
  'game.choose': ['Which game?', '选择游戏'],
  'game.family': ['Game', '游戏'],
  'game.board': ['Board', '棋盘'],
  'game.rows': ['Rows', '行数'],
  'game.columns': ['Columns', '列数'],
  'game.start': ['Start', '开始'],
  'game.kept': ['The game on the board is kept under Games.', '当前对局会保存在“历史对局”中。'],
  'family.2048': ['2048', '2048'],
  'family.1024': ['1024', '1024'],
  'family.threes': ['Threes (paper)', 'Threes（论文）'],
  'family.threes-app': ['Threes (app)', 'Threes（手机版）'],
  'family.threes-course': ['Threes (course)', 'Threes（课程）'],
  'variant.title': ['Variant', '变体'],
  'variant.about': ['Leave a field empty for the usual rules.', '留空即为标准规则。'],
  'variant.spawn': ['New tiles and their chances, as 2:.9,4:.1', '新方块及其概率，例如 2:.9,4:.1'],
  'variant.start': ['Tiles at the start', '初始方块数'],
  'variant.cap': ['Largest tile that still appears by merging', '合并能得到的最大方块'],
  'variant.cap.none': ['no limit', '不限'],
  'variant.word': ['variant', '变体'],

  'number.score': ['Score', '得分'],
  'number.best': ['Your best', '个人最佳'],
  'number.moves': ['Moves', '步数'],
  'next.tile': ['Next', '下一个'],
  'next.bag': ['In the bag: {a} × 1, {b} × 2, {c} × 3.', '袋中：{a} × 1，{b} × 2，{c} × 3。'],
  'hint.bonus': ['a bonus tile, 6 or more', '奖励方块（6 或更大）'],
  'hint.or': [' or ', ' 或 '],
  'cell': ['Row {row}, column {column}', '第 {row} 行第 {column} 列'],

  'auto.start': ['▶ Watch the AI', '▶ 看 AI 下棋'],
  'auto.stop': ['■ Stop the AI', '■ 停止 AI'],
  'auto.rate': ['{rate} moves a second; player: {player}', '每秒 {rate} 步，由{player}下'],
  'auto.less': ['To keep up it looks only {depth} ahead.', '为跟上速度，只前瞻 {depth}。'],
  'auto.endless': ['Start over when it ends', '结束后重新开始'],
  'hint': ['Hint', '提示'],
  'speed': ['Speed', '速度'],
  'speed.one': ['1 move/s', '每秒 1 步'],
  'speed.many': ['{rate} moves/s', '每秒 {rate} 步'],
  'player': ['Player', '棋手'],
  'player.best': ['best for this game', '本游戏最强'],
  'player.best.named': ['best: {player}', '最强：{player}'],
  'player.builtin': ['built-in model', '内置模型'],
  'player.builtin.of': ['built-in model {game}', '内置模型 {game}'],
  'player.heuristic': ['hand-made judgement', '人工规则'],
  'player.run': ['the run {run}', '训练 {run}'],
  'depth': ['Looks ahead', '前瞻'],
  'depth.one': ['1 move', '1 步'],
  'depth.many': ['{n} moves', '{n} 步'],
  'depth.usual': ['{depth} (usual)', '{depth}（默认）'],
  'depth.time': ['{ms} ms a move', '每步 {ms} 毫秒'],

  'play.begin': ['Arrow keys or a swipe slide the tiles.', '用方向键或滑动来移动方块。'],
  'play.go': ['Your move.', '请走棋。'],
  'win.text': ['You made the {tile}! Play goes on.', '您合成了 {tile}！可以继续。'],
  'over.text': ['Game over: {score} points, largest tile {largest}.', '游戏结束：{score} 分，最大方块 {largest}。'],
  'over.position': ['No move is possible here.', '此局面已无法移动。'],
  'over.analyse': ['Analyse', '分析'],
  'over.mistakes': ['Go through the mistakes', '逐个查看失误'],
  'over.share': ['Share', '分享'],
  'browse.text': ['Browsing: move {at} of {all}. Arrow keys step.', '浏览中：第 {at} / {all} 步。方向键翻看。'],
  'browse.variation': ['Variation from move {from}: {at} of {all}.', '变化（自第 {from} 步）：{at} / {all}。'],
  'browse.main': ['Main line', '主线'],
  'browse.play': ['Play from here', '从此处继续'],
  'browse.playing': ['Arrow keys slide again', '方向键恢复为移动方块'],
  'browse.at': ['move {at} of {all}', '第 {at} / {all} 步'],
  'browse.number': ['Move number', '步数'],
  'browse.first': ['First position', '初始局面'],
  'browse.back': ['One move back', '上一步'],
  'browse.forth': ['One move forward', '下一步'],
  'browse.last': ['Last position', '最后局面'],

  'speak.points': ['{points} points.', '得 {points} 分。'],
  'speak.tile': ['New {tile}: {cell}.', '新方块 {tile}：{cell}。'],
  'speak.next': ['Next: {hint}.', '下一个：{hint}。'],
  'speak.score': ['Score {score}.', '得分 {score}。'],
  'speak.over': ['The game is over.', '游戏结束。'],
  'speak.undone': ['Undone. Score {score}.', '已撤销。得分 {score}。'],
  'speak.hint': ['Hint: {move}', '提示：{move}'],
  'speak.ai': ['The AI plays', 'AI 开始下棋'],

  'keys.title': ['Keys and gestures', '按键与手势'],
  'keys.slide': ['slide; a swipe does too', '移动方块；也可滑动'],
  'keys.browse': ['step, first and last position while browsing', '浏览时：前后翻看、首尾局面'],
  'keys.step': ['back and forth, to the ends', '前后翻看、到首尾'],
  'keys.enter': ['play from here', '从此处继续'],
  'keys.mistake': ['next, previous mistake', '下一个、上一个失误'],
  'keys.other': ['AI · hint · undo · redo · new game · choose a game · games · values · edit · import · analyse', 'AI · 提示 · 撤销 · 重做 · 新对局 · 选择游戏 · 对局 · 估值 · 编辑 · 导入 · 分析'],
  'keys.space': ['Space', '空格'],

  'values.title': ['What each move is worth', '每步的价值'],
  'values.on': ['Show values as I play', '对局时显示估值'],
  'values.empty': ['Ask for a hint, or show values as you play.', '请求提示，或在对局时显示估值。'],
  'values.pause': ['The AI is too fast for values: they come when it stops, or at 5 moves a second and below.', 'AI 太快，无法显示估值：停止后或每秒不超过 5 步时显示。'],
  'values.lost': ['The server does not answer.', '服务器没有响应。'],
  'values.over': ['No move is possible: the game is over.', '无法移动：游戏已结束。'],
  'values.by': ['Judged by: {player}, {depth} ahead, {seen} positions seen.', '由{player}评估，前瞻 {depth}，共看 {seen} 个局面。'],
  'values.judged': ['From the analysis: {player}, {depth} ahead.', '来自分析：{player}，前瞻 {depth}。'],
  'values.points': ['The numbers are points still to come.', '数字为预计还能得到的分数。'],
  'values.endgame': ['Percentages are exact chances of one more {tile}, from an endgame table.', '百分比来自残局库，是再合成一个 {tile} 的准确概率。'],
  'values.judgement': ['The numbers are judgements, not points.', '数字是评价，不是分数。'],

  'analysis.title': ['This game', '本局'],
  'analysis.start': ['Analyse the whole game', '分析整局'],
  'analysis.stop': ['Stop', '停止'],
  'analysis.depth': ['Judge looks ahead', '评判前瞻'],
  'analysis.depth.usual': ['further than the player', '比棋手更深'],
  'analysis.about': ['Every move is judged, further ahead than the AI plays; what gave something away is listed.', '逐步评判，且比 AI 下棋时看得更深；列出所有失误。'],
  'analysis.nothing': ['There is no move to judge yet: play, let the AI play, or import a replay', '还没有可分析的步数：请先下棋、让 AI 下，或导入对局'],
  'analysis.first': ['Analyse the game first', '请先分析本局'],
  'analysis.none': ['No mistake was found', '没有发现失误'],
  'analysis.progress': ['{done} of {all} moves judged, {depth} ahead', '已评判 {done} / {all} 步，前瞻 {depth}'],
  'analysis.left': ['about {seconds} s left', '约剩 {seconds} 秒'],
  'analysis.waiting': ['Waiting for the server, then the analysis goes on', '等待服务器，恢复后继续分析'],
  'analysis.judged': ['{moves} moves judged by: {player}, {depth} ahead.', '{moves} 步，由{player}评判，前瞻 {depth}。'],
  'analysis.ai': ['The AI played {depth} ahead.', 'AI 下棋时前瞻 {depth}。'],
  'analysis.partial': ['The game has {all}.', '本局共 {all} 步。'],
  'analysis.accuracy': ['Accuracy', '准确率'],
  'analysis.accuracy.about': ['The share of the points still to come that a move kept, on average', '平均每步保留的预期得分比例'],
  'analysis.best': ['Best moves', '最佳步'],
  'analysis.longest': ['Longest best run', '最长连续最佳'],
  'analysis.longest.about': ['The most best moves in a row', '连续走出最佳步的最多次数'],
  'analysis.hundred': ['Lost per 100 moves', '每百步损失'],
  'analysis.hundred.about': ['The share of the points still to come that a hundred moves like these give up', '一百步这样的棋会放弃的预期得分比例'],
  'analysis.account.lucky': ['Expected at the start {first}; the moves gave away {loss}, chance brought {luck}: {final} points.', '开局预期 {first} 分；失误损失 {loss}，运气增加 {luck}：最终 {final} 分。'],
  'analysis.account.unlucky': ['Expected at the start {first}; the moves gave away {loss}, chance took {luck}: {final} points.', '开局预期 {first} 分；失误损失 {loss}，运气减少 {luck}：最终 {final} 分。'],
  'analysis.account.much': ['Expected at the start {first}, in the end {final} points. The losses are not the difference: the expectation counts on mistakes to come, and chance does the rest.', '开局预期 {first} 分，最终 {final} 分。损失之和不等于差额：预期中已计入后续失误，其余为运气。'],
  'analysis.by.loss': ['largest loss first', '按损失排序'],
  'analysis.by.move': ['in order of the game', '按步数排序'],
  'analysis.order': ['Order', '排序'],
  'analysis.item': ['Move {number}: {played} instead of {best}', '第 {number} 步：{played}，应为 {best}'],
  'analysis.mistakes': ['Mistakes', '失误'],
  'analysis.next': ['Next mistake', '下一个失误'],
  'analysis.previous': ['Previous mistake', '上一个失误'],
  'analysis.puzzles': ['Find better moves: solve your mistakes', '重做失误：找出更好的一步'],
  'class.blunder': ['blunder', '大错'],
  'class.mistake': ['mistake', '失误'],
  'class.slip': ['slip', '小失误'],
  'class.blunder.many': ['blunders', '大错'],
  'class.mistake.many': ['mistakes', '失误'],
  'class.slip.many': ['slips', '小失误'],
  'class.blunder.about': ['Gave up a fifth or more of the points still to come', '放弃了预期得分的五分之一以上'],
  'class.mistake.about': ['Gave up 5 to 20 % of the points still to come', '放弃了预期得分的 5 % 至 20 %'],
  'class.slip.about': ['Gave up 1 to 5 % of the points still to come', '放弃了预期得分的 1 % 至 5 %'],
  'class.about': ['A slip gives up 1 % of the points still to come, a mistake 5 %, a blunder 20 %; less than a thousandth of the final score expected is not counted.', '小失误放弃预期得分的 1 %，失误 5 %，大错 20 %；不足预期总分千分之一的不计。'],
  'note.best': ['Move {number}: {move} was the best.', '第 {number} 步：{move} 是最佳。'],
  'note.fine': ['Move {number}: {move} was nearly as good as {best} (−{loss}).', '第 {number} 步：{move} 与 {best} 相差无几（−{loss}）。'],
  'note.slip': ['Move {number}: {move} was a slip, {best} was better by {loss} ({share}).', '第 {number} 步：{move} 是小失误，{best} 好 {loss}（{share}）。'],
  'note.mistake': ['Move {number}: {move} was a mistake, {best} was better by {loss} ({share}).', '第 {number} 步：{move} 是失误，{best} 好 {loss}（{share}）。'],
  'note.blunder': ['Move {number}: {move} was a blunder, {best} was better by {loss} ({share}).', '第 {number} 步：{move} 是大错，{best} 好 {loss}（{share}）。'],
  'graph.expected': ['final score to be expected', '预期总分'],
  'graph.score': ['score so far', '当前得分'],
  'graph.value': ['judgement', '评价'],
  'graph.move': ['move', '步数'],
  'graph.points': ['points', '分数'],
  'graph.judgement': ['judgement', '评价'],
  'graph.label': ['The final score to be expected over the game: {positions} positions, {mistakes} mistakes', '对局中预期总分的变化：{positions} 个局面，{mistakes} 个失误'],

  'lines.title': ['Lines', '变化'],
  'lines.main': ['Main line: {moves} moves, {score} points', '主线：{moves} 步，{score} 分'],
  'lines.variation': ['Move {number} {move}: {moves} moves, {score} points', '第 {number} 步 {move}：{moves} 步，{score} 分'],
  'lines.promote': ['Make it the main line', '设为主线'],
  'lines.promoted': ['This is the main line now', '已设为主线'],
  'lines.remove': ['Take this variation away', '删除此变化'],
  'lines.removed': ['The variation is gone', '变化已删除'],

  'chances.title': ['Chances', '概率'],
  'chances.about': ['Plays on from here many times, one move ahead, and counts how often the tile is made: with the interval of 95 %.', '从此处多次继续对局（前瞻一步），统计合成该方块的频率，并给出 95 % 区间。'],
  'chances.tile': ['Tile to be made', '目标方块'],
  'chances.reach': ['Chance of the', '合成概率'],
  'chances.start': ['Estimate', '计算'],
  'chances.stop': ['Stop', '停止'],
  'chances.move': ['Move', '走法'],
  'chances.chance': ['Chance', '概率'],
  'chances.interval': ['95 % interval', '95 % 区间'],
  'chances.games': ['Tried', '次数'],

  'tools.title': ['Positions and replays', '局面与对局记录'],
  'tools.edit': ['Edit board', '编辑棋盘'],
  'tools.import': ['Import', '导入'],
  'tools.export': ['Export', '导出'],
  'tools.position': ['Link to position', '局面链接'],
  'tools.game': ['Link to game', '对局链接'],
  'tools.about': ['Reads and writes 2048league, 2048verse, course episodes and our own records.', '可读写 2048league、2048verse、课程记录和本程序的记录。'],
  'share.position': ['Link to this position', '局面链接'],
  'share.game': ['Link to this game', '对局链接'],
  'copied': ['{what} copied', '{what}已复制'],
  'copied.not': ['{what} is in the address line; copy it from there', '{what}在地址栏中，请从那里复制'],
  'link.damaged': ['The link does not work: {message}', '链接无效：{message}'],

  'recent': ['Games', '历史对局'],
  'recent.title': ['Games kept in this browser', '保存在浏览器中的对局'],
  'recent.about': ['The latest first. Choose one to go on with it or to look at it.', '最近的在前。选择一局继续或查看。'],
  'recent.none': ['No game is kept yet: the first move makes one.', '还没有保存的对局：走一步即可。'],
  'recent.score': ['{score} points, largest tile {largest}', '{score} 分，最大方块 {largest}'],
  'recent.moves': ['{moves} moves', '{moves} 步'],
  'recent.ended': ['{moves} moves, ended', '{moves} 步，已结束'],
  'recent.variations': ['variations: {count}', '变化：{count}'],
  'recent.by.you': ['you', '您'],
  'recent.by.ai': ['the AI', 'AI'],
  'recent.by.both': ['you and the AI', '您和 AI'],
  'recent.by.import': ['imported', '导入'],
  'recent.by.link': ['from a link', '来自链接'],
  'recent.remove': ['Forget this game', '删除此对局'],
  'recent.removed': ['The game is forgotten', '对局已删除'],
  'recent.damaged': ['This game cannot be opened: {message}', '无法打开此对局：{message}'],
  'ago.now': ['just now', '刚刚'],

  'editor.title': ['Edit the board', '编辑棋盘'],
  'editor.about': ['Choose a tile, then the cells it goes to. The same tile again empties a cell.', '先选方块，再点格子。再点一次同样的方块即清空。'],
  'editor.tile': ['Tile to put', '要放的方块'],
  'editor.empty': ['empty', '空'],
  'editor.hint': ['Next tile (1, 2, 3, + or 6,12,24)', '下一个方块（1、2、3、+ 或 6,12,24）'],
  'editor.bag': ['Left in the bag: 1s, 2s, 3s', '袋中剩余：1、2、3 的个数'],
  'editor.text': ['Position as text (ranks, tile values, 0x…)', '局面文本（等级、方块数值、0x…）'],
  'editor.use': ['Use this position', '使用此局面'],
  'editor.clear': ['Clear', '清空'],
  'editor.over': ['In this position no move is possible', '此局面已无法移动'],

  'import.title': ['Import a game', '导入对局'],
  'import.about': ['One game a line: 2048league, 2048verse, course episodes and our own records are recognised. Lines of one game become variations. A link to a game or the text of a position will do, too.', '每行一局：支持 2048league、2048verse、课程记录和本程序的记录。同一局的多行成为变化。也可粘贴对局链接或局面文本。'],
  'import.paste': ['Paste a replay, a link or a position here', '在此粘贴对局记录、链接或局面'],
  'import.replay': ['Replay', '对局记录'],
  'import.file': ['Or a file', '或选择文件'],
  'import.game': ['Game', '游戏'],
  'import.itself': ['as the replay says', '按记录自动判断'],
  'import.read': ['Read', '读取'],
  'import.empty': ['Paste a replay, or choose a file', '请粘贴对局记录或选择文件'],
  'import.line': ['Line {number}: ', '第 {number} 行：'],
  'import.unknown': [
    'This is none of the known formats. Expected is a line such as {"format":"afterstate-game-v1",…} (our records), 4x4-… (2048verse), name@1700…|01F2#U41…| (course episode), or the symbols of a 2048league replay.',
    '不是已知的格式。应为如下的一行：{"format":"afterstate-game-v1",…}（本程序）、4x4-…（2048verse）、name@1700…|01F2#U41…|（课程记录），或 2048league 的符号串。'],
  'import.unknown.last': ['Read as the last, it says: {message}', '按最后一种读取时：{message}'],
  'import.done': ['{format}: {moves} moves of {game}.', '{format}：{game}，{moves} 步。'],
  'import.others': ['{others} more are kept under Games.', '另有 {others} 局保存在“历史对局”中。'],
  'export.title': ['Export this game', '导出本局'],
  'export.format': ['Format', '格式'],
  'export.variations': ['Our records hold every variation as a line of its own; the other formats hold the main line.', '本程序的记录会把每个变化存为一行；其他格式只存主线。'],
  'export.copy': ['Copy', '复制'],
  'export.save': ['Save as a file', '保存为文件'],
  'export.select': ['The browser does not allow copying: select the text and copy it', '浏览器不允许复制：请选中文本后复制'],
  'format.ours': ['afterstate record (.jsonl): any game', 'afterstate 记录（.jsonl）：任何游戏'],
  'format.league': ['2048league, old 2048verse: 2048 up to 4×4', '2048league、旧版 2048verse：4×4 以内的 2048'],
  'format.verse': ['2048verse: 2048 up to 8×8', '2048verse：8×8 以内的 2048'],
  'format.episode': ['course episode: 2048 and Threes', '课程记录：2048 与 Threes'],

  'puzzle.title': ['Find the move', '找出好棋'],
  'puzzle.none': ['There are no puzzles yet. Analyse a game you played: its mistakes and blunders come here.', '还没有题目。分析一局您下过的棋，其中的失误和大错就会出现在这里。'],
  'puzzle.go': ['To the board', '去下棋'],
  'puzzle.about': ['Puzzle {number} of {all}: {game}, move {move}.', '第 {number} / {all} 题：{game}，第 {move} 步。'],
  'puzzle.question': ['You played {played}, a {kind}. Which move is better?', '您走了{played}，这是{kind}。哪一步更好？'],
  'puzzle.how': ['Slide as in the game, or press a button.', '像对局中一样滑动，或按下按钮。'],
  'puzzle.show': ['Show the answer', '显示答案'],
  'puzzle.next': ['Next puzzle', '下一题'],
  'puzzle.forget': ['Forget this one', '删除此题'],
  'puzzle.yes': ['Right!', '正确！'],
  'puzzle.no': ['Not this one', '不对'],
  'puzzle.answer': ['The answer', '答案'],
  'puzzle.shown': ['The best move: {best}.', '应走{best}。'],
  'puzzle.best': ['The best move: {move}.', '最佳：{move}。'],
  'puzzle.right': ['Nearly as good as the best: {move}. The best is {best}.', '{move}与最佳相差无几；最佳是{best}。'],
  'puzzle.wrong': ['No: {move} gives away {share}; the best is {best}.', '{move}损失 {share}；应走{best}。'],
  'puzzle.lost': ['In the game {played} gave away {share} of the points still to come.', '对局中{played}损失了预期得分的 {share}。'],
  'puzzle.reason': ['The four moves', '四种走法'],
  'puzzle.by': ['Judged by: {player}, {depth} ahead.', '由{player}评判，前瞻 {depth}。'],
  'puzzle.open': ['Open the position on the board', '在棋盘上打开此局面'],

  'assistant.rules': ['Rules', '规则'],
  'assistant.next': ['Which tile is announced as the next?', '下一个方块是？'],
  'assistant.bonus': ['+ bonus', '+ 奖励'],
  'assistant.bag.unknown': ['not the start of a game: a full bag is assumed', '不是开局：假定袋是满的'],
  'assistant.empty': ['The board is empty: choose a tile above and put it on its cells, as on your phone.', '棋盘是空的：请在上方选方块，再照手机上的样子放到格子里。'],
  'assistant.start': ['Start helping', '开始'],
  'assistant.example': ['Try an example', '试一个例子'],
  'assistant.about': ['Play Threes on your phone; enter the first board and the next tile once. After that it is one tap for the move you made, one for where the tile came in, one for the next tile.', '在手机上玩 Threes；只需输入一次初始棋盘和下一个方块。之后每步只需点三下：走法、新方块的位置、下一个方块。'],
  'assistant.over': ['No move is left', '无法移动'],
  'assistant.over.about': ['The game is over. Undo, or start a new game.', '游戏结束。可撤销或开始新对局。'],
  'assistant.best': ['Best: {move} {arrow}', '最佳：{move} {arrow}'],
  'assistant.which': ['Which way did you slide?', '您向哪边滑动了？'],
  'assistant.where': ['Where did the {tile} come in?', '{tile} 出现在哪里？'],
  'assistant.where.any': ['Where did the new tile come in?', '新方块出现在哪里？'],
  'assistant.tile': ['Which tile was it?', '是哪个方块？'],
  'assistant.hint': ['Which tile is next?', '下一个方块是？'],

  'training.runs': ['Runs', '训练'],
  'training.about': ['Tick runs to lay their curves over each other.', '勾选多个训练以叠加曲线。'],
  'training.loading': ['Looking for runs …', '正在查找……'],
  'training.none': ['There are no runs yet. Start one, and it appears here:', '还没有训练。启动一个即可在此看到：'],
  'training.none.about': ['Its learning curve, tiles and evaluations are drawn while it learns. Then its model can be watched and played with.', '学习过程中会画出学习曲线、各方块比例和评测；之后可以看它的模型下棋，也可以用它来下。'],
  'training.overlay': ['Show the curve of {run}', '显示 {run} 的曲线'],
  'training.learning': ['● learning', '● 学习中'],
  'training.done': ['{games} games', '{games} 局'],
  'training.mean': ['average {mean}', '平均 {mean}'],
  'training.nothing': ['nothing logged yet', '尚无记录'],
  'training.most': ['{most} curves are as many as can be told apart', '最多叠加 {most} 条曲线'],
  'training.refused': ['The run {run} cannot be followed', '无法跟踪训练 {run}'],
  'training.curve': ['Learning curve', '学习曲线'],
  'training.tiles': ['Share of games that reached a tile', '达到各方块的比例'],
  'training.axis': ['Across', '横轴'],
  'training.games': ['Games', '局数'],
  'training.time': ['Time', '时间'],
  'training.smooth': ['Smoothing', '平滑'],
  'training.smooth.none': ['none', '无'],
  'training.smooth.over': ['over {width} points', '{width} 点'],
  'training.average': ['average while learning', '学习中的平均'],
  'training.average.short': ['Average', '平均'],
  'training.greedy': ['evaluations, with intervals of 95 %', '评测（95 % 区间）'],
  'training.dots': ['Lines: averages while learning. Dots: evaluations with intervals of 95 %.', '线：学习中的平均。点：评测及其 95 % 区间。'],
  'training.x.games': ['games learned from', '已学习的局数'],
  'training.x.time': ['seconds of learning', '学习时间（秒）'],
  'training.y': ['average score', '平均得分'],
  'training.y.tiles': ['share of games', '对局比例'],
  'training.label': ['Average score over games, now {mean} after {games} games', '平均得分曲线：{games} 局后为 {mean}'],
  'training.state': ['State', '状态'],
  'training.active': ['learning', '学习中'],
  'training.rest': ['at rest', '已停止'],
  'training.best': ['Best game', '最高分'],
  'training.speed': ['Moves/s', '步/秒'],
  'training.time.short': ['Time', '用时'],
  'training.watch': ['▶ Watch it play', '▶ 看它下棋'],
  'training.play': ['Play with it', '用它来下'],
  'training.report': ['Report', '报告'],
  'training.report.of': ['Report of {run}', '{run} 的报告'],
  'training.report.open': ['Open it by itself', '单独打开'],
  'training.figures': ['Figures', '图表'],
  'training.recipe': ['Recipe', '配方'],
};

const wish = kept.read('language') ?? (navigator.languages ?? [navigator.language]).find((one) => /^(en|zh)\b/.test(one)) ?? 'en';

/** The language of the page, and the other one. */
export const language = wish.startsWith('zh') ? 'zh' : 'en';
export const otherLanguage = language === 'zh' ? 'en' : 'zh';
const column = LANGUAGES.indexOf(language);

/** The words of a key, with values in place of names in braces. */
export function t(key, values = {}) {
  const words = WORDS[key]?.[column];
  if (words === undefined) throw new Error(`no words for ${key}`);
  return words.replaceAll(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

/** Fills in the words of elements that name their key: `data-t` as text, `data-t-label` for screen readers. */
export function translate(root) {
  for (const element of root.querySelectorAll('[data-t]')) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll('[data-t-label]')) element.setAttribute('aria-label', t(element.dataset.tLabel));
}

// -- phrases that are used in several places -----------------------------------------------------

/** How far a player looks ahead. */
export const depthWords = (ply) => (ply === 1 ? t('depth.one') : t('depth.many', { n: ply }));

/** The name of a player. */
export function playerWords(model) {
  if (model === 'heuristic') return t('player.heuristic');
  if (model === '') return t('player.builtin');
  if (model.startsWith('builtin:')) return t('player.builtin.of', { game: model.slice('builtin:'.length) });
  return model.startsWith('run:') ? t('player.run', { run: model.slice(4) }) : model;
}

export const familyWords = (family) => t(`family.${family}`);

/** `2048 4×4`, and whether it is a variant. */
export const gameWords = (game) => `${familyWords(game.family.name)} ${game.rows}×${game.cols}${game.variant ? ` (${t('variant.word')})` : ''}`;

export const cellWords = (game, cell) => t('cell', { row: Math.floor(cell / game.cols) + 1, column: (cell % game.cols) + 1 });

/** The announced tile of Threes: `+` is a tile of 6 or more. */
export function hintWords(extra) {
  if (!extra.hint) return '';
  return extra.hint === '+' ? t('hint.bonus') : extra.hint.split(',').join(t('hint.or'));
}

/** How long ago something was. */
export function ago(when) {
  const seconds = (Date.now() - when) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (seconds < 60) return t('ago.now');
  if (seconds < 3600) return format.format(-Math.round(seconds / 60), 'minute');
  if (seconds < 86400) return format.format(-Math.round(seconds / 3600), 'hour');
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(when);
}
