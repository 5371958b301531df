import type { PolicyEffect } from '@toolgate/server/toolset/policy/policy-effect'
import { TriangleAlert } from 'lucide-react'
import { dataClassInSentence, zoneWords } from '@/lib/protocol/trust-words'
import { countOf, inSentence } from '@/lib/words/format'

/** Shows what the models and the allowed tools in the form mean for the tools that runs are offered. */
export function PolicyNotice({ effect }: { effect: PolicyEffect | null }) {
  return (
    <div role="status" className="flex flex-col gap-2">
      {effect && <Limit effect={effect} />}
      {effect && <NoTools effect={effect} />}
      {effect?.raiseLost && (
        <p className="flex gap-2 rounded-md border border-warning/40 bg-warning-soft p-3 text-sm">
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
          <span>
            Saving removes the raise to {dataClassInSentence(effect.raiseLost)}: the trust zone is
            now lower.
          </span>
        </p>
      )}
      {effect && (
        <>
          <Tools what="opens" names={effect.opens} />
          <Tools what="closes" names={effect.closes} />
        </>
      )}
    </div>
  )
}

function Limit({ effect: { before, after } }: { effect: PolicyEffect }) {
  const changed =
    before && (before.limit !== after.limit || before.connectionName !== after.connectionName)
  return (
    <p className="text-muted text-sm">
      <DataLimit {...after} />
      {changed && ` Before: ${before.connectionName}, up to ${dataClassInSentence(before.limit)}.`}
    </p>
  )
}

/** Says which data runs may send, and which connection of the chain decides it, or that an admin raised its limit. */
export function DataLimit({ connectionName, zone, own, limit }: PolicyEffect['after']) {
  const strong = (text: string) => <strong className="font-medium text-strong">{text}</strong>
  if (limit !== own) {
    return (
      <>
        The zone of {strong(connectionName)} allows up to {strong(dataClassInSentence(own))}. An
        admin raised it to {strong(dataClassInSentence(limit))}.
      </>
    )
  }
  return (
    <>
      {limit === 'secret-adjacent' ? (
        'Runs may send data of all classes.'
      ) : (
        <>Runs may send data up to {strong(dataClassInSentence(limit))}.</>
      )}{' '}
      The lowest trust zone decides: {strong(connectionName)}, {inSentence(zoneWords[zone])}.
    </>
  )
}

/** Explains why runs are offered no tools, which is usual for the first configuration at a new provider. */
function NoTools({ effect: { after, usable, offered } }: { effect: PolicyEffect }) {
  if (offered > 0 || usable === 0 || after.limit === 'secret-adjacent') return null
  return (
    <p className="flex gap-2 rounded-md border border-warning/40 bg-warning-soft p-3 text-sm">
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
      <span>
        Runs are offered none of {countOf(usable, 'tool')}. Allow more data on its page after
        saving.
      </span>
    </p>
  )
}

function Tools({ what, names }: { what: 'opens' | 'closes'; names: string[] }) {
  if (names.length === 0) return null
  return (
    <details className="rounded-md border bg-surface-1 px-3 py-2 text-sm">
      <summary className="cursor-pointer text-strong">
        Saving {what === 'closes' ? 'blocks' : 'allows'} {countOf(names.length, 'tool')}
        {what === 'closes' && ' for new runs'}
      </summary>
      <p className="pt-1 font-mono text-mono [overflow-wrap:anywhere]">{names.join(', ')}</p>
    </details>
  )
}
