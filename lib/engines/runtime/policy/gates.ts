import { configuration } from './configuration'
import { enabled } from './enabled'
import { frozen } from './frozen'
import type { Gate } from './gate'
import { group } from './group'
import { pinned } from './pinned'
import { registered } from './registered'
import { role } from './role'
import { selection } from './selection'
import { skills } from './skills'
import { trustZone } from './trust-zone'

/** In the order of SPEC section 4. Each can only say no, so none can widen what another refused (SPEC G-X). */
export const gates: readonly Gate[] = [
  registered,
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
