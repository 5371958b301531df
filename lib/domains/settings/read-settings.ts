import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import type { SiteSettings } from './site-settings'
import { storedSettings } from './stored-settings'

/** Every setting of this site, with its usual value where nobody set it. Admins only. */
export async function readSettings(ctx: Ctx): Promise<SiteSettings> {
  requireRole(ctx, 'admin')
  return storedSettings(db())
}
