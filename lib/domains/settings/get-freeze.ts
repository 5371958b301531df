import type { Ctx } from '../../kernel/context'
import { db } from '../../kernel/db'
import { type Freeze, showFreeze } from './read-freeze'

/** Who froze this site, when and why; null = it is not frozen. For everybody who is signed in. */
export function getFreeze(_ctx: Ctx): Promise<Freeze | null> {
  return showFreeze(db())
}
