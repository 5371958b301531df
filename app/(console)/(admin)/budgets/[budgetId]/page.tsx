import { budgetVerbs } from '@toolgate/server/domains/budgets/verbs'
import { listModels } from '@toolgate/server/domains/models/reads'
import { lacksPrice } from '@toolgate/server/domains/models/schemas'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { budgets } from '@/lib/domains/budgets/shape'
import { BudgetActions } from '../budget-actions'
import { Bar, Pace, Top } from '../budget-list'
import { withTopNames } from '../top-names'

const { page, generateMetadata } = resourcePage(
  budgets,
  budgetVerbs,
  async ({ ctx, object, choices }) => {
    const models = (await listModels(ctx, {})).filter(lacksPrice)
    const [budget = object] = await withTopNames([object])
    return {
      shown: budget,
      actions: <BudgetActions budget={budget} choices={choices} models={models} />,
      facts: {
        scopeId: null,
        ...(budget.unit !== 'micro-usd' && { unpriced: null }),
        Forecast: <Pace budget={budget} />,
        'Top user': <Top budget={budget} />,
        'Next reset': <RelativeTime at={budget.resetsAt} />,
      },
      children: (
        <Section title="Used">
          <div className="max-w-160">
            <Bar budget={budget} />
          </div>
        </Section>
      ),
    }
  },
)

export { generateMetadata }
export default page
