import { listKeys } from '@toolgate/server/domains/connections/list-keys'
import type {
  ConfigurationUser,
  ConnectionDetails,
} from '@toolgate/server/domains/connections/schemas'
import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { PageFrame } from '@/components/ui/page-frame'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { SideIndex } from '@/components/ui/side-index'
import { StatePill } from '@/components/ui/state-pill'
import { requireAdmin } from '@/lib/next/require-user'
import { visibleText } from '@/lib/words/clean-text'
import { pageTitle } from '@/lib/words/page-title'
import { ConnectionSwitch } from '../connection-switch'
import { addressOfConnection, healthPill } from '../connection-words'
import { ZoneMismatch } from '../zone-questions'
import { ConnectionActions } from './connection-actions'
import { ConnectionFacts } from './connection-facts'
import { findConnectionDetails } from './find-connection-details'
import { HeadersSection } from './headers-section'
import { HealthSection } from './health-section'
import { KeySection, KeysSection } from './keys-section'
import { ModelsSection } from './models-section'
import { SettingsSection } from './settings-section'

type Props = { params: Promise<{ connectionId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findConnectionDetails((await params).connectionId)
  return pageTitle(name, 'Connections')
}

export default async function ConnectionPage({ params }: Props) {
  const ctx = await requireAdmin()
  const connection = await findConnectionDetails((await params).connectionId)
  const keys = await listKeys(ctx, { id: connection.id })
  const { users, createdAt: _createdAt, ...listing } = connection
  const { id, name, wire } = listing
  const { state, word, at } = healthPill(connection)
  return (
    <PageFrame kind="form" index={<SideIndex />}>
      <PageHead
        title={<VisibleText text={name} />}
        state={<ConnectionSwitch connection={listing} affected={affectedWords(users)} />}
        action={<ConnectionActions id={id} name={name} models={users.models.length} />}
      >
        <span className="flex flex-wrap items-center gap-2 [overflow-wrap:anywhere]">
          {addressOfConnection(connection)} <StatePill state={state}>{word}</StatePill>
          {at !== null && <RelativeTime at={at} />}
        </span>
      </PageHead>
      <ZoneMismatch connection={listing} />
      <ConnectionFacts connection={connection} />
      <ModelsSection connection={connection} />
      <HealthSection connection={connection} />
      <SettingsSection connection={listing} />
      {wire !== 'demo' && (
        <>
          {keys.length === 0 ? (
            <KeySection connection={listing} />
          ) : (
            <KeysSection connection={listing} keys={keys} />
          )}
          <HeadersSection connection={listing} />
        </>
      )}
      <UsersSection configurations={users.configurations} />
    </PageFrame>
  )
}

const mostNames = 5

/** Says which configurations stop working without the connection. */
function affectedWords({ configurations }: ConnectionDetails['users']): string {
  const closed = names(configurations.filter(({ primary }) => primary))
  const passed = names(configurations.filter(({ primary }) => !primary))
  const sentences = [
    closed && `These configurations can no longer run: ${closed}.`,
    passed && `These lose a fallback: ${passed}.`,
  ].filter(Boolean)
  return sentences.length > 0 ? sentences.join(' ') : 'No configuration uses it.'
}

function names(configurations: { name: string }[]): string {
  const shown = configurations.slice(0, mostNames).map(({ name }) => visibleText(name))
  const rest = configurations.length - shown.length
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** Lists the configurations that use this connection. */
function UsersSection({ configurations }: { configurations: ConfigurationUser[] }) {
  return (
    <Section title="Used by">
      {configurations.length === 0 && <p className="text-muted">No configuration.</p>}
      {configurations.length > 0 && (
        <ul className="divide-y rounded-md border bg-surface-1">
          {configurations.map(({ id, name, enabled, primary }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
              <Link
                href={`/configurations/${id}`}
                className="text-link [overflow-wrap:anywhere] hover:underline"
              >
                <VisibleText text={name} />
              </Link>
              <span className="text-muted text-sm">{primary ? 'main model' : 'fallback'}</span>
              {!enabled && <Badge>Off</Badge>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
