import type { ChainLink } from '@toolgate/server/domains/configurations/schemas'
import type { ConfigurationTrust } from '@toolgate/server/toolset/policy/policy-effect'
import { Badge } from '@/components/ui/badge'
import { cn } from '@/components/ui/cn'
import { Section } from '@/components/ui/section'
import type { DataClass } from '@/lib/protocol/tool'
import { dataClassMeaning, zoneWord } from '@/lib/protocol/trust-words'
import { DataLimit } from '../form/policy-notice'
import { RaiseControl } from './raise-control'

type Props = {
  configurationId: string
  chain: ChainLink[]
  raised: DataClass | null
  trust: ConfigurationTrust
}

/** Shows the trust zone, the data classes that may therefore be sent, and the control that raises them. */
export function Trust({ configurationId, chain, raised, trust }: Props) {
  const { least, own, limit } = trust
  const isRaised = limit !== own
  return (
    <Section id="trust" title="Data its connections may receive">
      <ol className="max-w-3xl divide-y rounded-md border bg-surface-1">
        {chain.map((link, index) => (
          <li
            key={`${link.connectionName} ${link.modelId}`}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2"
          >
            <span className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
              <span className="text-strong">{link.modelName}</span>{' '}
              <span className="text-muted">at {link.connectionName}</span>
            </span>
            {index > 0 && <span className="text-muted text-sm">fallback {index}</span>}
            {!link.enabled && <Badge tone="warning">Switched off</Badge>}
            <Badge>{zoneWord(link)}</Badge>
          </li>
        ))}
      </ol>
      <p
        className={cn(
          'max-w-[72ch]',
          isRaised && 'rounded-md border border-warning/40 bg-warning-soft px-3 py-2',
        )}
      >
        <DataLimit {...least} own={own} limit={limit} />
        {isRaised && ` ${dataClassMeaning[limit]}.`}
      </p>
      <RaiseControl
        key={raised ?? 'none'}
        configurationId={configurationId}
        provider={least.connectionName}
        higher={trust.higher}
        raised={isRaised ? raised : null}
      />
    </Section>
  )
}
