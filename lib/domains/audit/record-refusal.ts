import { createHash } from 'node:crypto'
import { log } from '@/lib/kernel/log'
import { hasMoreDigits } from '@/lib/kernel/log-counted'
import { type CountedRefusal, type Refusal, storeRefusal } from './store-refusal'

const flushAfterMs = 500
const mostPending = 1_000
const hourMs = 3_600_000

type Queue = {
  pending: Map<string, CountedRefusal>
  timer: NodeJS.Timeout | null
  busy: Promise<void>
}

const queue: Queue = { pending: new Map(), timer: null, busy: Promise.resolve() }

/**
 * Counts a refusal for the audit and the log (SPEC A5). Equal ones of one hour become one row with their number. Costs
 * the refused request nothing and cannot fail it: rows are written half a second later, outside of any transaction.
 */
export function recordRefusal(refusal: Refusal, now = new Date()): void {
  const { pending, timer } = queue
  const key = keyOf(refusal, now)
  const known = pending.get(key)
  if (known) {
    known.count += 1
    known.last = now
  } else if (pending.size < mostPending) {
    pending.set(key, { refusal, key, count: 1, first: now, last: now })
  }
  if (timer === null) flushSoon(flushAfterMs)
}

/** Resolves when all that was counted so far is stored, or could not be. Call before ending the process. */
export async function flushRefusals(): Promise<void> {
  const state = queue
  if (state.timer) clearTimeout(state.timer)
  state.timer = null
  state.busy = state.busy.then(store)
  await state.busy
}

async function store(): Promise<void> {
  const { pending } = queue
  for (const counted of [...pending.values()]) {
    pending.delete(counted.key)
    try {
      const total = await storeRefusal(counted)
      writeLog(counted, total)
    } catch (error) {
      keepForLater(counted)
      log.error(
        { source: 'audit', err: error },
        'Could not write a refusal into the audit; trying again',
      )
      flushSoon(5_000)
      return
    }
  }
}

function keepForLater(counted: CountedRefusal): void {
  const { pending } = queue
  const meanwhile = pending.get(counted.key)
  const count = counted.count + (meanwhile?.count ?? 0)
  pending.set(counted.key, { ...counted, count, last: meanwhile?.last ?? counted.last })
}

function flushSoon(ms: number): void {
  const state = queue
  if (state.timer) clearTimeout(state.timer)
  state.timer = setTimeout(() => void flushRefusals(), ms).unref()
}

/** Logs the first, tenth, hundredth, … refusal of an hour, so that a flood does not fill the log. */
function writeLog({ refusal, count }: CountedRefusal, total: number): void {
  if (!hasMoreDigits(total, total - count)) return
  const { action, who, actorId, objectType, objectId, reason, ipAddress } = refusal
  log.warn(
    {
      source: 'auth',
      action,
      who,
      userId: actorId,
      objectType,
      objectId,
      reason,
      ipAddress,
      total,
    },
    'Something was refused',
  )
}

/**
 * Returns the key: hour, source, and a hash of what makes refusals equal. `store-refusal` counts rows by its beginning.
 */
function keyOf(
  { action, who, objectType, objectId, reason, facts, ipAddress, source }: Refusal,
  now: Date,
): string {
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs).toISOString()
  const what = hashOf([
    action,
    who,
    objectType,
    objectId,
    reason,
    ipAddress,
    JSON.stringify(facts ?? null),
  ])
  return `${hour} ${source.type} ${hashOf([source.place])} ${what}`
}

function hashOf(parts: (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
}
