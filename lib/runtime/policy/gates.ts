import { configuration } from './configuration'
import { enabled } from './enabled'
import { frozen } from './frozen'
import type { Gate } from './gate'
import { group } from './group'
import { pinned } from './pinned'
import { role } from './role'
import { selection } from './selection'
import { skills } from './skills'
import { trustZone } from './trust-zone'

/**
 * In the order of SPEC section 4, without the first: that a tool is registered is for its Map to say. Each can only
 * say no, so none can widen what another refused (SPEC G-X).
 */
export const gates: readonly Gate[] = [
  frozen,
  group,
  enabled,
  role,
  configuration,
  trustZone,
  skills,
  selection,
  pinned,
]
