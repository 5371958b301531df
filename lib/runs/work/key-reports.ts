import 'server-only'
import type { Pool } from 'pg'
import { type KeyReport, reportKey } from '@/lib/domains/connections/take-key'
import { rateFigures } from '@/lib/engines/providers/http/rate-limit-headers'

/**
 * Reports of answers about keys since the last request to their connection. The next request of the same engine stores
 * them, so they need no statement of their own.
 */
export type KeyReports = {
  /** Returns the reports about the keys of a connection, and removes them. */
  take: (connectionId: string) => KeyReport[]
  /** Adds the tokens that a request used beyond those that were counted for it. */
  noteTokens: (connectionId: string, keyId: string, difference: number) => void
  noteHeaders: (connectionId: string, keyId: string, headers: Record<string, string>) => void
}

export function openKeyReports(pool: Pool): KeyReports {
  const reports = new Map<string, Map<string, KeyReport>>()

  const reportOf = (connectionId: string, id: string): KeyReport => {
    const ofConnection = reports.get(connectionId) ?? new Map<string, KeyReport>()
    reports.set(connectionId, ofConnection)
    const none = { leftRequests: null, requestsMs: 0, leftTokens: null, tokensMs: 0 }
    const report = ofConnection.get(id) ?? { id, tokens: 0, ...none }
    ofConnection.set(id, report)
    return report
  }

  return {
    take: (connectionId) => {
      const ofConnection = reports.get(connectionId)
      reports.delete(connectionId)
      return ofConnection ? [...ofConnection.values()] : []
    },
    noteTokens: (connectionId, keyId, difference) => {
      if (difference !== 0) reportOf(connectionId, keyId).tokens += difference
    },
    noteHeaders: (connectionId, keyId, headers) => {
      const { requests, tokens } = rateFigures(headers, Date.now())
      if (!requests && !tokens) return
      const report = reportOf(connectionId, keyId)
      if (requests) {
        Object.assign(report, { leftRequests: requests.left, requestsMs: requests.resetMs })
      }
      if (tokens) Object.assign(report, { leftTokens: tokens.left, tokensMs: tokens.resetMs })
      // Without this, other processes would learn of it only with the next request of this one.
      if (requests?.left === 0 || tokens?.left === 0) {
        reportKey(pool, report).catch(() => undefined)
      }
    },
  }
}
