import pg from 'pg'
import type { Ctx } from '@/lib/kernel/context'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import { printTable } from '@/tools/bench/print-table'

const goalMs = 300
const times = 5

/** Filters of three, with an order: the rare, the frequent, and both together. */
const filters = [
  'failure=any&period=7d&sort=-cost',
  'failure=any&source=api&sort=-cost',
  'failure=any&minCost=0.01&sort=-duration',
  'outcome=denied&tool=get_env&period=30d',
  'outcome=done&tool=get_env&sort=-cost',
  'gate=role&tool=fetch_logs&sort=-cost',
  'gate=enabled&source=api&minSeconds=30',
  'outcome=timed-out&maxCost=0.001&sort=-duration',
  'outcome=unknown&source=api&sort=-cost',
  'failure=any&period=today&zone=Pacific/Kiritimati&sort=-cost',
  'failure=any&search=certificate&sort=-cost',
]

type Statement = { text: string; values: unknown[] }

/** Measures filters of the list of runs, and prints with which indexes PostgreSQL finds the rows and their number. */
export async function printFilters(client: pg.Client, admin: Ctx, model: string): Promise<void> {
  const rows: string[][] = []
  for (const query of [...filters, `failure=any&period=30d&sort=-cost&model=${model}`]) {
    const filter = RunFilter.parse({
      pageSize: 20,
      ...Object.fromEntries(new URLSearchParams(query)),
    })
    const [first, ...sent] = await statementsOf(() => listRuns(admin, filter))
    const took: number[] = []
    let total = 0
    for (let time = 0; time < times; time += 1) {
      const began = performance.now()
      total = (await listRuns(admin, filter)).total
      took.push(performance.now() - began)
    }
    const ms = took.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0
    const found = [first, ...sent].flatMap((each) => (each && isList(each) ? [each] : []))
    const plans = await Promise.all(found.map((each) => indexesOf(client, each)))
    const used = [...new Set(plans.flat())].join(', ')
    const shown = query.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    rows.push([shown, ms.toFixed(0), String(total), used, ms > goalMs ? `over ${goalMs} ms` : ''])
  }
  printTable(['filter of the runs', 'ms', 'runs', 'read by', 'goal missed'], rows)
}

const isList = ({ text }: Statement) => /^SELECT .* FROM "public"."runs" WHERE/s.test(text)

/** Returns the indexes of a plan, and "all runs" where it reads the whole table. */
async function indexesOf(client: pg.Client, { text, values }: Statement): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN ${text}`, values })
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  const indexes = [
    ...plan.matchAll(/(?:Index (?:Only )?Scan (?:Backward )?using|Bitmap Index Scan on) "?(\w+)/g),
  ]
  const whole = /Seq Scan on (?:public\.)?runs\b/.test(plan) ? ['all runs'] : []
  return [...indexes.map(([, name = '']) => name), ...whole]
}

/** Returns what `work` sends to PostgreSQL. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = []
  const { query } = pg.Client.prototype
  const noted = function (this: pg.Client, ...given: unknown[]) {
    const [request, values] = given
    const { text = request, values: own = values } = Object(request)
    if (typeof text === 'string') seen.push({ text, values: Array.isArray(own) ? own : [] })
    return Reflect.apply(query, this, given)
  }
  Reflect.set(pg.Client.prototype, 'query', noted)
  await work().finally(() => Reflect.set(pg.Client.prototype, 'query', query))
  return seen
}
