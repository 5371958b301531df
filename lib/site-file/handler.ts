import type { Ctx } from '@/lib/kernel/context'
import type { EntryOf, GivenOf, Kind, SiteFile, SiteState } from './site-file'

/** Difference in one field. `note` adds what the values do not show. */
export type FieldChange = { field: string; before: unknown; after: unknown; note?: string }

/** The stored entry (null: it is new), the entry of the file, and the fields in which they differ. */
export type EntryChange<K extends Kind> = {
  before: EntryOf<K> | null
  given: GivenOf<K>
  changed: ReadonlySet<string>
}

/** The site that a file is compared with. */
export type Site = { file: SiteFile; state: SiteState }

type Act = (ctx: Ctx, reason: string) => Promise<unknown>

/**
 * Phases of writing one entry. All of a file is narrowed before any of it is written, and all of it is written before
 * any of it is finished: after a failure, nothing is open to more people or tools than it was or should have become.
 */
export type Work = {
  /** Takes away from people and runs what the file no longer gives them. */
  narrow?: Act | undefined
  write?: Act | undefined
  /** Gives people and runs what the file says, and switches off what had to be on while others came to refer to it. */
  finish?: Act | undefined
}

type Becomes<K extends Kind> = {
  [F in keyof EntryOf<K>]?: (before: EntryOf<K>, given: GivenOf<K>) => EntryOf<K>[F]
}

/** Reads and writes one kind of entry, through the verbs of its domain. */
export type Handler<K extends Kind> = {
  read: (ctx: Ctx) => Promise<EntryOf<K>[]>
  /** Returns the state of an entry that is not stored; left out: none, and a file adds it. */
  unwritten?: (given: GivenOf<K>) => EntryOf<K>
  /** Returns what an entry is read as where that is not what it says, with a sentence about it; null = as it says. */
  meant?: (
    ctx: Ctx,
    given: GivenOf<K>,
    before: EntryOf<K> | null,
  ) => Promise<{ given: GivenOf<K>; notice: string } | null>
  /** Returns the new value of a given field, where that is not simply the given one. */
  becomes?: Becomes<K>
  /** Returns further differences that these changes cause. */
  consequences?: (change: EntryChange<K>, site: Site) => FieldChange[]
  work: (change: EntryChange<K>) => Work
}
