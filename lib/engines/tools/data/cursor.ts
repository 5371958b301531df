import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { ToolError } from '@/lib/protocol/tool'
import type { Column } from './columns'
import type { OpenTable } from './open-table'

/** Returns the signature of words with a key of this installation, for one person and one data source. */
export type Sign = (words: string) => Buffer

const Key = z.array(z.string())

/** An order of rows: an opened table, and the columns of its key as the database has them now. */
type Order = { opened: OpenTable; key: readonly Column[] }

/**
 * Returns a cursor for the row with this key: the key, and a signature that binds it to the person, the table, what is open of it and
 * its order with the types. A key that was made up would say whether rows come after it, and so give away a hidden key letter by letter.
 */
export function cursorOf(sign: Sign, order: Order, values: readonly string[]): string {
  const place = Buffer.from(JSON.stringify(values)).toString('base64url')
  return signed(sign, order, place)
}

/** Returns the key of a cursor. Throws ToolError for one that was made up, or given for something else. */
export function openCursor(sign: Sign, order: Order, cursor: string): string[] {
  const [place = ''] = cursor.split('.', 1)
  const given = Buffer.from(cursor)
  const own = Buffer.from(signed(sign, order, place))
  if (given.length !== own.length || !timingSafeEqual(given, own)) throw wrongCursor()
  return Key.parse(JSON.parse(Buffer.from(place, 'base64url').toString()))
}

function signed(sign: Sign, { opened, key }: Order, place: string) {
  const { schema, name, columns, owner } = opened
  const types = key.map((column) => [column.name, column.type])
  const signature = sign(JSON.stringify([schema, name, columns, types, owner, place]))
  return `${place}.${signature.toString('base64url')}`
}

export function wrongCursor(): ToolError {
  return new ToolError(
    'wrong-cursor',
    '"after" takes the "next" of an answer before, to the same person about the same table, while the same columns are open and the key has the same types. Leave it out to begin with the first row.',
  )
}
