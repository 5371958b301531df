import { listConfigurations } from '@toolgate/server/domains/configurations/usable'
import { readGroupChoices } from '@toolgate/server/runs/checks/read-for-pages'
import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { findCheck } from '@/app/(console)/checks/find-checks'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { PageFrame } from '@/components/ui/page-frame'
import { requireUser } from '@/lib/next/require-user'
import { pageTitle } from '@/lib/words/page-title'
import { EditCheckForm } from './edit-check-form'

type Props = { params: Promise<{ checkId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findCheck((await params).checkId)
  return pageTitle(`Edit ${name}`, 'Checks')
}

/** Changes a check of the reader; admins change any. */
export default async function EditCheckPage({ params }: Props) {
  const ctx = await requireUser()
  const check = await findCheck((await params).checkId)
  if (!check.mayEdit) notFound()
  const [configurations, own] = await Promise.all([listConfigurations(ctx), readGroupChoices(ctx)])
  const others = check.groups.filter(({ id }) => !own.some((group) => group.id === id))
  return (
    <PageFrame kind="form">
      <PageHead
        title={<VisibleText text={`Edit ${check.name}`} />}
        action={
          <Button asChild>
            <Link href={`/checks/${check.id}`}>Open check</Link>
          </Button>
        }
      >
        The next run of the check uses the change.
      </PageHead>
      <EditCheckForm
        key={check.id}
        check={check}
        configurations={configurations.map(({ id, identifier, name }) => ({
          id,
          identifier,
          name,
        }))}
        groups={[...own, ...others]}
      />
    </PageFrame>
  )
}
