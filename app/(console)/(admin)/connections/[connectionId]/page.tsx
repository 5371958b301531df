import type { Metadata } from 'next'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { PageFrame } from '@/components/ui/page-frame'
import { PageHead } from '@/components/ui/page-head'
import { Section } from '@/components/ui/section'
import { StatePill } from '@/components/ui/state-pill'
import { requireAdmin } from '@/lib/auth/require-user'
import { listKeys } from '@/lib/domains/connections/list-keys'
import type { ConfigurationUser } from '@/lib/domains/connections/schemas'
import { pageTitle } from '@/lib/protocol/page-title'
import { TestButton } from '../connection-test'
import { addressOfConnection, healthPill } from '../connection-words'
import { ZoneMismatch } from '../zone-questions'
import { ConnectionFacts } from './connection-facts'
import { DangerZone } from './danger-zone'
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
  const { state, word } = healthPill(connection)
  return (
    <PageFrame kind="detail" hasIndex>
      <PageHead title={<VisibleText text={name} />} action={<TestButton id={id} name={name} />}>
        <span className="flex flex-wrap items-center gap-2 [overflow-wrap:anywhere]">
          {addressOfConnection(connection)} <StatePill state={state}>{word}</StatePill>
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
      <DangerZone connection={connection} />
      <Link
        href={`/audit?objectType=connection&objectId=${id}`}
        className="w-fit text-link hover:underline"
      >
        Changes in the audit
      </Link>
    </PageFrame>
  )
}

/** Lists the configurations that use this connection. */
function UsersSection({ configurations }: { configurations: ConfigurationUser[] }) {
  return (
    <Section title="Used by">
      {configurations.length === 0 && <p className="text-muted">No configuration uses it.</p>}
      {configurations.length > 0 && (
        <ul className="max-w-3xl divide-y rounded-md border bg-surface-1">
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
