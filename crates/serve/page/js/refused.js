/** A request that was refused. `status` 0: nobody answered. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }

  get lost() { return this.status === 0; }
}
