import { z } from 'zod'

/** Result of one check. `advice` says what to do; null when there is nothing to do. */
export const Finding = z.object({
  check: z.string(),
  status: z.enum(['ok', 'warn', 'fail']),
  detail: z.string(),
  advice: z.string().nullable(),
})
export type Finding = z.infer<typeof Finding>

export function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail, advice: null }
}

export function warn(check: string, detail: string, advice: string): Finding {
  return { check, status: 'warn', detail, advice }
}

export function fail(check: string, detail: string, advice: string): Finding {
  return { check, status: 'fail', detail, advice }
}
