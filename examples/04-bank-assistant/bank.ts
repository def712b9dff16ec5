import { DatabaseSync } from 'node:sqlite'
import { Handles } from '../../src/index.ts' // in a project of your own: 'tao-agent'
import { CLIENTS, type ClientData, TARIFFS, type Tariff } from './made-up-data.ts'

const TABLES = `
  CREATE TABLE card (id TEXT PRIMARY KEY, client TEXT, blocked INTEGER DEFAULT 0);
  CREATE TABLE payee (id TEXT, client TEXT, name TEXT, PRIMARY KEY (client, id));
  CREATE TABLE entry (
    id TEXT PRIMARY KEY, client TEXT, day TEXT, amount INTEGER, code TEXT, card TEXT, payee TEXT, memo TEXT
  );
  CREATE TABLE dispute (id TEXT PRIMARY KEY, client TEXT, entry TEXT, reason TEXT);
  CREATE TABLE tariff (code TEXT PRIMARY KEY, what TEXT, percent REAL, minimum INTEGER);
`

/** A bank with two clients and made-up data. Everything but the tariffs belongs to somebody, and is reached through `open`. */
export class Bank {
  readonly #database = new DatabaseSync(':memory:')
  readonly #accounts = new Map(CLIENTS.map(({ id, account }) => [id, account]))

  constructor() {
    this.#database.exec(TABLES)
    for (const client of CLIENTS) this.#add(client)
    const insert = this.#database.prepare('INSERT INTO tariff VALUES (?, ?, ?, ?)')
    for (const { code, what, percent, minimum } of TARIFFS) insert.run(code, what, percent, minimum)
  }

  #add({ id, cards, payees, transactions }: ClientData): void {
    const insert = (table: string, ...values: readonly (string | number | null)[]) =>
      this.#database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values)
    for (const card of cards) insert('card', card, id, 0)
    for (const payee of payees) insert('payee', payee.id, id, payee.name)
    for (const { id: entry, day, amount, code, card = null, payee = null, memo = null } of transactions)
      insert('entry', entry, id, day, amount, code, card, payee, memo)
  }

  tariff(code: string): Tariff | undefined {
    return this.#database.prepare('SELECT * FROM tariff WHERE code = ?').get(code) as Tariff | undefined
  }

  /** What the bank has of one client, and nothing else. Throws for a client that it does not have. */
  open(client: string): ClientBank {
    const account = this.#accounts.get(client)
    if (account === undefined) throw new Error('The session has no client of this bank.')
    return new ClientBank(this.#database, client, account)
  }
}

interface Entry {
  readonly id: string
  readonly day: string
  readonly amount: number
  readonly code: string
  readonly card: string | null
  readonly payee: string | null
  readonly memo: string | null
}

export interface Transfer {
  /** Ids of the bank. */
  readonly payee: string
  /** In tiyn. */
  readonly amount: number
  readonly note: string
  /** A second transfer with the same key is none. */
  readonly key: string
}

/** One client's part of the bank. No method takes a client: there is no other one to name. */
export class ClientBank {
  readonly #database: DatabaseSync
  readonly #client: string
  readonly account: string

  constructor(database: DatabaseSync, client: string, account: string) {
    this.#database = database
    this.#client = client
    this.account = account
  }

  /** What models call the client's cards, payees and transactions. The tables only grow, so the names stay. */
  handles(kind: 'card' | 'payee' | 'transaction'): Handles {
    const table = kind === 'transaction' ? 'entry' : kind
    const rows = this.#database.prepare(`SELECT id FROM ${table} WHERE client = ? ORDER BY rowid`).all(this.#client)
    return new Handles(
      kind,
      rows.map(({ id }) => String(id)),
    )
  }

  /** Days as `YYYY-MM-DD`, both included. */
  entries(from: string, to: string): readonly Entry[] {
    const query = 'SELECT * FROM entry WHERE client = ? AND day BETWEEN ? AND ? ORDER BY rowid'
    return this.#database.prepare(query).all(this.#client, from, to) as unknown as readonly Entry[]
  }

  payeeName(payee: string): string | undefined {
    const row = this.#database.prepare('SELECT name FROM payee WHERE client = ? AND id = ?').get(this.#client, payee)
    return row === undefined ? undefined : String(row.name)
  }

  blockCard(card: string): void {
    this.#database.prepare('UPDATE card SET blocked = 1 WHERE client = ? AND id = ?').run(this.#client, card)
  }

  /** A second dispute with the same key is none. */
  openDispute(entry: string, reason: string, key: string): void {
    this.#database.prepare('INSERT OR IGNORE INTO dispute VALUES (?, ?, ?, ?)').run(key, this.#client, entry, reason)
  }

  transfer({ payee, amount, note, key }: Transfer): void {
    const day = new Date().toISOString().slice(0, 10)
    this.#database
      .prepare('INSERT OR IGNORE INTO entry VALUES (?, ?, ?, ?, ?, NULL, ?, ?)')
      .run(key, this.#client, day, -amount, 'TRANSFER', payee, note)
  }

  /** How many cards are blocked, disputes open and transfers made: those have a key for an id, made-up ones begin with TX. */
  effects(): { readonly blocked: number; readonly disputes: number; readonly transfers: number } {
    const count = (from: string): number =>
      Number(this.#database.prepare(`SELECT count(*) AS n FROM ${from} AND client = ?`).get(this.#client)?.n)
    return {
      blocked: count('card WHERE blocked = 1'),
      disputes: count('dispute WHERE true'),
      transfers: count("entry WHERE id NOT LIKE 'TX-%'"),
    }
  }
}
