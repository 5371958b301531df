import { readForwardedSeen } from '@/lib/auth/note-forwarded'
import { env } from '@/lib/env'
import { countOf } from '@/lib/protocol/format'
import { type Finding, ok, warn } from './finding'

const check = 'Proxies'
const recentMs = 7 * 86_400_000
const advice =
  'Set TOOLGATE_TRUSTED_PROXIES to the number of proxies in front of Toolgate, or remove the header X-Forwarded-For from requests.'

/** Whether the addresses of people are known, which the limits of failed sign-ins and the audit depend on. */
export async function checkProxies(now = new Date()): Promise<Finding> {
  const trusted = env().TOOLGATE_TRUSTED_PROXIES
  if (trusted > 0) return ok(check, `${countOf(trusted, 'proxy is', 'proxies are')} trusted`)
  const seen = await readForwardedSeen()
  if (seen && now.getTime() - seen.getTime() < recentMs) {
    const detail = `requests have the header X-Forwarded-For (last ${seen.toISOString()}), but no proxy is trusted`
    return warn(check, `${detail}, so everybody seems to come from one address`, advice)
  }
  if (env().TOOLGATE_URL.startsWith('https://')) {
    return warn(
      check,
      'TOOLGATE_URL is https, so a proxy is in front of Toolgate, but no proxy is trusted',
      'Set TOOLGATE_TRUSTED_PROXIES to the number of proxies in front of Toolgate.',
    )
  }
  return ok(check, 'no proxy is trusted, and no request came through one')
}
