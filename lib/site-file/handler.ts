import type { Ctx } from '@/lib/kernel/context'
import type { EntryOf, GivenOf, Kind, SiteFile, SiteState } from './site-file'

/** What differs in one field. `note` says what the values do not. */
export type FieldChange = { field: string; before: unknown; after: unknown; note?: string }

/** What is here (null = it is new), what the file says, and the fields in which they differ. */
export type EntryChange<K extends Kind> = {
  before: EntryOf<K> | null
  given: GivenOf<K>
  changed: ReadonlySet<string>
}

/** What a file is compared with. */
export type Site = { file: SiteFile; state: SiteState }

type Act = (ctx: Ctx, reason: string) => Promise<unknown>

/**
 * What one entry takes. All of a file is narrowed before any of it is written, and all of it is written before any of it
 * is finished: where something fails, what is left is not open to more people or tools than it was or should have become.
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

/** How one kind is read and written, through the verbs of its domain. */
export type Handler<K extends Kind> = {
  read: (ctx: Ctx) => Promise<EntryOf<K>[]>
  /** What stands here where nothing is written down; left out = nothing, and a file adds it. */
  unwritten?: (given: GivenOf<K>) => EntryOf<K>
  /** Returns what an entry is read as where that is not what it says, with a sentence about it; null = as it says. */
  meant?: (
    ctx: Ctx,
    given: GivenOf<K>,
    before: EntryOf<K> | null,
  ) => Promise<{ given: GivenOf<K>; notice: string } | null>
  /** What a field that the file gives becomes, where that is not simply what it gives. */
  becomes?: Becomes<K>
  /** What else becomes different with these changes. */
  consequences?: (change: EntryChange<K>, site: Site) => FieldChange[]
  work: (change: EntryChange<K>) => Work
}
