import { strongerRules } from '@toolgate/server/domains/programs/suggested-rules'
import { programVerbs } from '@toolgate/server/domains/programs/verbs'
import type { Metadata } from 'next'
import Link from 'next/link'
import { ResourcePage } from '@/components/resource/resource-page'
import { VisibleText } from '@/components/trace/visible-text'
import { programs } from '@/lib/domains/programs/shape'
import { resourcePage } from '@/lib/next/read-resource-page'
import { requireAdmin } from '@/lib/next/require-user'
import { changeProgram } from '../actions'
import { ProgramActions, StrongerRulesNote } from '../program-form'

const page = resourcePage(programs, programVerbs)

type Props = { params: Promise<{ programId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return page.title((await params).programId)
}

export default async function ProgramPage({ params }: Props) {
  const ctx = await requireAdmin()
  const { programId } = await params
  const { object: program, choices, history } = await page.read(ctx, programId)
  const { trouble, version } = program
  const stronger = strongerRules(program)
  return (
    <ResourcePage
      resource={programs}
      object={program}
      history={history}
      change={changeProgram}
      actions={<ProgramActions program={program} choices={choices} />}
      facts={{
        Version: version === null ? 'it says none' : <VisibleText text={version} />,
        'Who may use it': 'admins, in any workspace',
        Calls: (
          <Link href="/runs?tool=exec" className="text-link hover:underline">
            runs that called exec
          </Link>
        ),
      }}
    >
      {stronger !== null && (
        <StrongerRulesNote program={program} choices={choices} stronger={stronger} />
      )}
      {trouble !== null && (
        <p className="text-warning">
          It cannot be run now. <VisibleText text={trouble} />
        </p>
      )}
    </ResourcePage>
  )
}
