import type { ConnectionDetails } from '@toolgate/server/domains/connections/schemas'
import { VisibleText } from '@/components/trace/visible-text'
import { Card } from '@/components/ui/card'
import { Fact } from '@/components/ui/fact'
import { RelativeTime } from '@/components/ui/relative-time'
import { connectionShape as shape } from '@/lib/domains/connections/shape'
import { settingsFor } from '@/lib/domains/connections/shared/connection-settings'
import { zoneWord } from '@/lib/protocol/trust-words'
import { factText } from '@/lib/shape/field-codec'
import { keyWord, settingWord, zoneMismatch } from '../connection-words'

export function ConnectionFacts({ connection }: { connection: ConnectionDetails }) {
  const { wire, settings, zone, key, organisation, updatedAt } = connection
  return (
    <Card className="p-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        <Fact label={shape.wire.label}>{factText(shape.wire, wire)}</Fact>
        <Fact label="Trust zone">
          {zoneWord(connection)}
          <ZoneNote zone={zone} />
        </Fact>
        <Fact label="Key">
          <span className={key ? 'font-mono text-mono' : undefined}>{keyWord(connection)}</span>
          {key && (
            <span className="block text-muted text-sm">
              stored <RelativeTime at={key.updatedAt} />
            </span>
          )}
        </Fact>
        {organisation !== null && (
          <Fact label={shape.organisation.label}>
            <VisibleText text={organisation} />
          </Fact>
        )}
        {settingsFor(wire, settings).map((setting) => (
          <Fact key={setting.key} label={setting.label}>
            <VisibleText text={settingWord(setting, settings)} />
          </Fact>
        ))}
        <Fact label="Changed">
          <RelativeTime at={updatedAt} />
        </Fact>
      </dl>
    </Card>
  )
}

/** Shows that the trust zone does not fit the address, or who confirmed it, when and why. */
function ZoneNote({ zone }: { zone: ConnectionDetails['zone'] }) {
  if (zone.type === 'fits') return null
  if (zone.type === 'mismatch') {
    return <span className="block text-sm text-warning">{zoneMismatch}</span>
  }
  return (
    <span className="block text-muted text-sm">
      confirmed by <VisibleText text={zone.by} /> <RelativeTime at={zone.at} />:{' '}
      <VisibleText text={zone.reason} />
    </span>
  )
}
