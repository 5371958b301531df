import { readFile } from 'node:fs/promises'
import type { Ctx } from '../context'
import { env } from '../env'
import { AppError } from '../errors'
import { planSite, type SitePlan } from './plan-site'
import { parseSiteFile } from './site-file'

/** How this site differs from the file that TOOLGATE_SITE_FILE names; `trouble` says why that is not known. */
export type SiteDrift =
  | { type: 'compared'; path: string; text: string; plan: SitePlan }
  | { type: 'trouble'; path: string; trouble: string }

/** Null when no file is named. Admins only. */
export async function readDrift(ctx: Ctx): Promise<SiteDrift | null> {
  const path = env().TOOLGATE_SITE_FILE
  if (path === undefined) return null
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) {
    return { type: 'trouble', path, trouble: 'It cannot be read. Check TOOLGATE_SITE_FILE.' }
  }
  try {
    return { type: 'compared', path, text, plan: await planSite(ctx, parseSiteFile(text)) }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { type: 'trouble', path, trouble: error.message }
  }
}
