import { connectionPresets } from '@toolgate/server/domains/connections/presets'
import { listConnections } from '@toolgate/server/domains/connections/reads'
import type { Metadata } from 'next'
import { PresetLinks } from '@/components/nouns/preset-links'
import { PageHead } from '@/components/shell/page-head'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { requireAdmin } from '@/lib/next/require-user'
import { Connect } from './connect'

export const metadata: Metadata = { title: 'Connect a model' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

/** Leads from a key to a first run. `?provider=` names a known provider or `other`, `?connection=` a stored connection. */
export default async function ConnectPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { provider, connection: id } = await searchParams
  const preset = connectionPresets.find((each) => each.id === provider) ?? null
  const stored =
    typeof id === 'string' ? (await listConnections(ctx, {})).find((each) => each.id === id) : null
  const isChosen = Boolean(preset || stored || provider === 'other')
  return (
    <PageFrame kind="detail">
      <PageHead title="Connect a model">Adds a connection, a model and a configuration.</PageHead>
      {isChosen ? (
        <Connect
          key={stored?.id ?? preset?.id ?? 'other'}
          preset={preset}
          stored={stored ? { id: stored.id, name: stored.name } : null}
        />
      ) : (
        <Section title="Provider">
          <PresetLinks
            presets={connectionPresets}
            chosen={null}
            href={(id) => `/connect?provider=${id}`}
            other="Another OpenAI-compatible server"
          />
        </Section>
      )}
    </PageFrame>
  )
}
