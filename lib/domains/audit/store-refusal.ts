import type { refusalActions } from '@/lib/edge/record-audit'
import { db } from '@/lib/kernel/db'
import { newId } from '@/lib/kernel/new-id'
import { withoutSecrets } from '@/lib/kernel/redaction/without-secrets'
import type { JsonValue } from '@/lib/protocol/tool'

/** Something that was refused. It changed nothing, so it has no transaction of its own. */
export type Refusal = {
  action: keyof typeof refusalActions
  /** Sender of the request or, if unknown, the account it was for; as the audit shows it. */
  who: string
  actorId: string | null
  objectType: string
  objectId: string | null
  /** Subject and reason of the refusal, in one sentence. Never a secret. */
  reason: string
  facts?: JsonValue
  /** E-mail address of the account that was meant, when only that is known. */
  account?: string | undefined
  ipAddress: string | null
  /** The source whose limit of rows it counts towards: a person, or unknown senders at one address. */
  source: { type: 'person' | 'stranger'; place: string }
}

/** Equal refusals of one hour that are not stored yet. */
export type CountedRefusal = {
  refusal: Refusal
  key: string
  count: number
  first: Date
  last: Date
}

/**
 * The most different rows per hour of one source, and of all unknown senders together. Further refusals share one row.
 */
const mostOfSource = 30
const mostOfStrangers = 300

/**
 * Adds to the row of equal refusals of this hour, or makes it; says how many it counts now. One statement counts, so
 * that processes do not overwrite each other.
 */
export async function storeRefusal(counted: CountedRefusal): Promise<number> {
  const { refusal, key } = await withinLimits(counted)
  const { count, first, last } = counted
  const { action, who, actorId, objectType, objectId, account, reason, facts, ipAddress } = refusal
  const after = facts === undefined ? null : JSON.stringify(withoutSecrets(facts))
  const [row] = await db().$queryRaw<{ count: number }[]>`
    INSERT INTO audit_entries AS known (
      id, "at", "lastAt", count, "refusalKey", "actorId", "actorLabel",
      action, "objectType", "objectId", after, reason, "ipAddress")
    VALUES (
      ${newId()}::uuid, ${first.toISOString()}::timestamp, ${last.toISOString()}::timestamp, ${count}, ${key},
      ${actorId}::uuid, ${who}, ${action}, ${objectType}, 
      coalesce(${objectId}, (SELECT id::text FROM users WHERE email = ${account ?? null})), ${after}::jsonb, ${reason}, ${ipAddress})
    ON CONFLICT ("refusalKey") DO UPDATE SET
      count = known.count + excluded.count,
      "lastAt" = greatest(known."lastAt", excluded."lastAt")
    RETURNING count`
  return row?.count ?? count
}

type Keyed = { refusal: Refusal; key: string }

/**
 * Returns the refusal with its key. A source with many different refusals gets one more row for the rest, and so do all
 * unknown sources together.
 */
async function withinLimits({ refusal, key, first }: CountedRefusal): Promise<Keyed> {
  const [hour = '', type = '', place = ''] = key.split(' ')
  const ofSource = `${hour} ${type} ${place} `
  const [seen] = await db().$queryRaw<{ known: boolean; source: number; strangers: number }[]>`
    SELECT
      coalesce(bool_or("refusalKey" = ${key}), false) AS known,
      count(*) FILTER (WHERE starts_with("refusalKey", ${ofSource}))::int AS source,
      count(*) FILTER (WHERE starts_with("refusalKey", ${`${hour} stranger `}))::int AS strangers
    FROM audit_entries
    WHERE "at" >= ${hour}::timestamp AND "at" <= ${first.toISOString()}::timestamp + interval '1 hour'
      AND "refusalKey" IS NOT NULL`
  if (!seen || seen.known) return { refusal, key }
  if (type === 'stranger' && seen.strangers >= mostOfStrangers) {
    return {
      key: `${hour} further`,
      refusal: { ...further(refusal), who: 'several people not signed in', ipAddress: null },
    }
  }
  if (seen.source >= mostOfSource) return { key: `${ofSource}further`, refusal: further(refusal) }
  return { refusal, key }
}

function further({ source, who, actorId, ipAddress }: Refusal): Refusal {
  return {
    action: 'access.refuse',
    who: source.type === 'person' ? who : 'someone not signed in',
    actorId,
    objectType: 'refusals',
    objectId: null,
    reason: 'Further refusals of this hour, counted together.',
    ipAddress,
    source,
  }
}
