import { readDrift, type SiteDrift } from '@toolgate/server/site-file/plan-site'
import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { PageHead } from '@/components/shell/page-head'
import { CodeText } from '@/components/trace/code-text'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { requireAdmin } from '@/lib/next/require-user'
import { countOf } from '@/lib/words/format'
import { PlanList } from './plan-list'
import { toPlanView } from './plan-view'
import { SiteFileForm } from './site-file-form'

export const metadata: Metadata = { title: 'Site file' }

export default async function SiteFilePage() {
  const ctx = await requireAdmin()
  const drift = await readDrift(ctx)
  return (
    <PageFrame kind="detail">
      <PageHead title="Site file" action={<DownloadLink />}>
        This site without its secrets, as one YAML file.
      </PageHead>
      {drift && <DriftNotice drift={drift} />}
      <Section title="Compare and apply a file">
        <SiteFileForm initialText={drift?.type === 'compared' ? drift.text : ''} />
      </Section>
    </PageFrame>
  )
}

/** Shows a plain link, because prefetching it would write an export to the audit log. */
function DownloadLink() {
  return (
    <Button asChild>
      <a href="/api/site-file/export" download>
        <Download className="size-4" aria-hidden />
        Download
      </a>
    </Button>
  )
}

function DriftNotice({ drift }: { drift: SiteDrift }) {
  return (
    <Section title="File on this server">
      <p className="text-muted [overflow-wrap:anywhere]">
        <CodeText text={drift.path} /> {drift.type === 'compared' && words(drift.plan.steps.length)}
      </p>
      {drift.type === 'unknown' ? (
        <ErrorNotice title="The file cannot be compared">{drift.problem}</ErrorNotice>
      ) : (
        <PlanList plan={toPlanView(drift.plan)} />
      )}
    </Section>
  )
}

function words(steps: number): string {
  return steps === 0 ? 'matches this site.' : `differs: ${countOf(steps, 'change')} to apply.`
}
