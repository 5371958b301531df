import type { ActionResult } from '@/lib/action'
import type { Apply } from './agreement'
import type { PlanView } from './plan-view'

export type Compare = (input: {
  text: string
}) => Promise<ActionResult<{ plan: PlanView; fingerprint: string }>>

/** Server actions take less than a site file may have: it is sent to routes of its own. */
export const compareSiteFile: Compare = (input) => send('compare', input)
export const applySiteFile: Apply = (input) => send('apply', input)

/** Throws what `sendAction` takes for a server that cannot be reached or understood. */
async function send<T>(route: 'compare' | 'apply', input: object): Promise<ActionResult<T>> {
  const response = await fetch(`/api/site-file/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  const answer = await response.json()
  if (response.ok) return { ok: true, value: answer }
  const code = String(answer.type).replace('urn:toolgate:problem:', '')
  return { ok: false, error: { code, message: String(answer.detail), fields: answer.errors } }
}
