import { strongerRules } from '@toolgate/server/domains/programs/suggested-rules'
import { programVerbs } from '@toolgate/server/domains/programs/verbs'
import Link from 'next/link'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import { VisibleText } from '@/components/trace/visible-text'
import { programs } from '@/lib/domains/programs/shape'
import { ProgramActions, StrongerRulesNote } from '../program-form'

const { page, generateMetadata } = resourcePage(
  programs,
  programVerbs,
  ({ object: program, choices }) => {
    const { trouble, version } = program
    const stronger = strongerRules(program)
    return {
      actions: <ProgramActions object={program} choices={choices} />,
      facts: {
        Version: version === null ? 'it says none' : <VisibleText text={version} />,
        Calls: (
          <Link href="/runs?tool=exec" className="text-link hover:underline">
            runs that called exec
          </Link>
        ),
      },
      children: (
        <>
          {stronger !== null && (
            <StrongerRulesNote program={program} choices={choices} stronger={stronger} />
          )}
          {trouble !== null && (
            <p className="text-warning">
              It cannot be run now. <VisibleText text={trouble} />
            </p>
          )}
        </>
      ),
    }
  },
)

export { generateMetadata }
export default page
