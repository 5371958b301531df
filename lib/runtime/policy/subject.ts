import type { Actor } from '@/lib/protocol/tool'

/** A stored answer about one tool or the site: who gave it, when (ms since 1970) and why. */
export type SwitchState = { enabled: boolean; reason: string; changedBy: string; changedAt: number }

/**
 * Everything the gates need to know about one run at one moment, freshly read. Null always means "no opinion",
 * except `actor`: an unknown actor may use nothing.
 */
export type Subject = {
  actor: Actor | null
  frozen: { reason: string; by: string } | null
  /** Tool groups an admin switched off. */
  groupsOff: ReadonlySet<string>
  /** Sparse: a tool without an entry stands on its own default. */
  overrides: ReadonlyMap<string, SwitchState>
  /** Tools picked for this run; null = all that the other gates allow, an empty set = none. */
  selected: ReadonlySet<string> | null
}
