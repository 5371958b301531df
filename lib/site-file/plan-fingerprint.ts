import { createHash } from 'node:crypto'
import type { SitePlan } from './plan-site'

/** Stands for exactly these changes. */
export function planFingerprint({ steps }: Pick<SitePlan, 'steps'>): string {
  return createHash('sha256').update(JSON.stringify(steps)).digest('hex')
}
