/**
 * Names for the objects of one client in place of their ids: `payee:3` is the third of the client's payees. A model can only
 * say a name; what it stands for is looked up among the objects of the client whose session it is. So somebody else's object
 * has no name that could be said, and an id that was guessed, read somewhere or stolen is no name either: all of them are
 * simply not there.
 *
 * Nothing is kept: the same list gives the same names, in another process too.
 */
export class Handles {
  readonly #kind: string
  readonly #ids: readonly string[]

  /**
   * `ids`: all objects of this kind that the client ever had, in an order that only grows at its end, such as the one they
   * were made in. An object that is gone keeps its place.
   */
  constructor(kind: string, ids: readonly string[]) {
    this.#kind = kind
    this.#ids = ids
  }

  /** What a model is shown. Throws for an object that is not the client's. */
  nameOf(id: string): string {
    const at = this.#ids.indexOf(id)
    if (at === -1) throw new Error(`This ${this.#kind} is not among the client's.`)
    return `${this.#kind}:${at + 1}`
  }

  /** What a model means; undefined for everything that is no name of one of the client's objects. */
  find(name: string): string | undefined {
    const number = Number(name.slice(this.#kind.length + 1))
    return name === `${this.#kind}:${number}` ? this.#ids[number - 1] : undefined
  }
}
