import { strongerRules } from '@toolgate/server/domains/programs/suggested-rules'
import { programVerbs } from '@toolgate/server/domains/programs/verbs'
import Link from 'next/link'
import { ResourcePage } from '@/components/resource/resource-page'
import { VisibleText } from '@/components/trace/visible-text'
import { programs } from '@/lib/domains/programs/shape'
import { type ReadObject, resourcePage } from '@/lib/next/read-resource-page'
import { changeProgram } from '../actions'
import { ProgramActions, StrongerRulesNote } from '../program-form'

const { page, generateMetadata } = resourcePage(programs, programVerbs, ProgramPage)

export { generateMetadata }
export default page

function ProgramPage({ object: program, choices, history }: ReadObject<typeof programs>) {
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
