import { connectionPresets } from '@toolgate/server/domains/connections/presets'
import type { Metadata } from 'next'
import { PresetLinks } from '@/components/nouns/preset-links'
import { PageHead } from '@/components/shell/page-head'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { requireAdmin } from '@/lib/next/require-user'
import { NewConnectionForm } from './new-connection-form'

export const metadata: Metadata = { title: 'Add connection · Connections' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function NewConnectionPage({ searchParams }: { searchParams: SearchParams }) {
  await requireAdmin()
  const wanted = (await searchParams).preset
  const preset = connectionPresets.find(({ id }) => id === wanted) ?? null
  return (
    <PageFrame kind="form">
      <PageHead title="Add connection">A provider, or an address of your own.</PageHead>
      <Section title="Known providers">
        <PresetLinks
          presets={connectionPresets}
          chosen={preset?.id ?? null}
          href={(id) => `/connections/new?preset=${id}`}
        />
        {preset && (
          <p className="text-muted text-sm [overflow-wrap:anywhere]">
            Checked on {preset.checkedOn} against{' '}
            <a
              href={preset.source}
              target="_blank"
              rel="noreferrer"
              className="text-link hover:underline"
            >
              {new URL(preset.source).hostname}
            </a>
          </p>
        )}
      </Section>
      <Section title="The connection">
        <NewConnectionForm key={preset?.id ?? 'own'} preset={preset} />
      </Section>
    </PageFrame>
  )
}
