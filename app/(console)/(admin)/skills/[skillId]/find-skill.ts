import { readSkill } from '@toolgate/server/domains/skills/reads'
import { pageObject } from '@/lib/next/or-not-found'

/** Returns the skill that an address names. */
export const findSkill = pageObject((ctx, id) => readSkill(ctx, { id }))
