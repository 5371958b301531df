import type { Ctx } from '../context'
import type { EntryOf, GivenOf, Kind } from './site-file'

/** What is here, what the file says, and the fields in which they differ. */
type EntryChange<K extends Kind> = {
  before: EntryOf<K>
  given: GivenOf<K>
  changed: ReadonlySet<string>
}

/** How one kind is read and written, through the verbs of its domain. */
export type Handler<K extends Kind> = {
  read: (ctx: Ctx) => Promise<EntryOf<K>[]>
  create: (ctx: Ctx, given: GivenOf<K>, reason: string) => Promise<void>
  /** For what is new, once everything is written: what it may only be after others have referred to it. */
  finish?: (ctx: Ctx, given: GivenOf<K>, reason: string) => Promise<void>
  update: (ctx: Ctx, change: EntryChange<K>, reason: string) => Promise<void>
}
