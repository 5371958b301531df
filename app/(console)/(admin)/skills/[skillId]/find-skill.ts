import { pageObject } from '@/lib/auth/or-not-found'
import { readSkill } from '@/lib/domains/skills/reads'

/** Returns the skill that an address names. */
export const findSkill = pageObject((ctx, id) => readSkill(ctx, { id }))
