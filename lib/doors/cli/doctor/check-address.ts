import { z } from 'zod'
import { type Finding, fail, ok, warn } from './finding'

const check = 'Address'
const timeoutMs = 5_000

const Ready = z.object({
  status: z.enum(['ready', 'not-ready']),
  checks: z.record(z.string(), z.string()),
})

/** Asks the server at the address browsers use whether it can take work. */
export async function checkAddress(address: string): Promise<Finding> {
  const url = new URL('/api/ready', address)
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'manual',
    })
    const answer = Ready.safeParse(await response.json().catch(() => null))
    if (!answer.success) {
      return fail(
        check,
        `${url.origin} does not answer as Toolgate`,
        'Correct TOOLGATE_URL or the proxy.',
      )
    }
    if (answer.data.status === 'ready') return ok(check, `${url.origin} is ready`)
    const bad = Object.entries(answer.data.checks).filter(([, state]) => state !== 'ok')
    const detail = bad.map(([name, state]) => `${name} ${state}`).join(', ')
    return fail(check, `${url.origin} is not ready: ${detail}`, 'Check the log of the server.')
  } catch {
    return warn(
      check,
      `${url.origin} does not answer`,
      'Start the server with npm start, or correct TOOLGATE_URL.',
    )
  }
}
