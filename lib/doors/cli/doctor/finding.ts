/** What one check found. `advice` says what to do; null when there is nothing to do. */
export type Finding = {
  check: string
  status: 'ok' | 'warn' | 'fail'
  detail: string
  advice: string | null
}

export function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail, advice: null }
}

export function warn(check: string, detail: string, advice: string): Finding {
  return { check, status: 'warn', detail, advice }
}

export function fail(check: string, detail: string, advice: string): Finding {
  return { check, status: 'fail', detail, advice }
}
