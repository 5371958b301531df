import { policyCaseVerbs } from '@toolgate/server/joined-verbs'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import { VisibleText } from '@/components/trace/visible-text'
import { policyCases } from '@/lib/domains/policy-cases/shape'
import { PolicyCaseActions } from '../policy-case-form'
import { Verdict } from '../verdict'

const { page, generateMetadata } = resourcePage(
  policyCases,
  policyCaseVerbs,
  ({ object, choices }) => ({
    actions: <PolicyCaseActions object={object} choices={choices} />,
    facts: {
      // Two of the three are never set.
      ...(object.person ? {} : { userId: null }),
      ...(object.personGroup ? {} : { groupId: null }),
      ...(object.apiKey ? {} : { apiKeyId: null }),
      Now: <Verdict verdict={object.verdict} />,
      'Decision now': <VisibleText text={object.says} />,
    },
  }),
)

export { generateMetadata }
export default page
