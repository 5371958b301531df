import type { ReactNode } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { Card } from '@/components/ui/card'
import { RelativeTime } from '@/components/ui/relative-time'
import type { ConnectionDetails } from '@/lib/connections/read-connection'
import { zoneWords } from '../../configurations/configuration-words'
import { addressOfConnection, keyWord, wireWords } from '../connection-words'

export function ConnectionFacts({ connection }: { connection: ConnectionDetails }) {
  const { wire, trustZone, key, organisation, updatedAt } = connection
  return (
    <Card className="p-3">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-6">
        <Fact label="API type">{wireWords[wire]}</Fact>
        <Fact label="Address">
          <VisibleText text={addressOfConnection(connection)} />
        </Fact>
        <Fact label="Trust zone">{zoneWords[trustZone]}</Fact>
        <Fact label="Key">
          <span className="font-mono text-mono">{keyWord(connection)}</span>
          {key && (
            <span className="block text-muted text-sm">
              stored <RelativeTime at={key.updatedAt} />
            </span>
          )}
        </Fact>
        <Fact label="Organisation">
          {organisation === null ? 'None' : <VisibleText text={organisation} />}
        </Fact>
        <Fact label="Changed">
          <RelativeTime at={updatedAt} />
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="text-strong [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
