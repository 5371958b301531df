import { endpoints } from '@toolgate/server/doors/api/endpoints'
import { describeEndpoint } from '@toolgate/server/doors/openapi'
import type { Metadata } from 'next'
import Link from 'next/link'
import { groupBy } from '@/components/group-by'
import { PageHead } from '@/components/shell/page-head'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { requireUser } from '@/lib/next/require-user'
import { EndpointDetails } from './endpoint-details'

export const metadata: Metadata = { title: 'API · Your account' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

/** Lists the nouns of the API and shows the requests of one: of `?noun=`, or of the first. */
export default async function ApiPage({ searchParams }: { searchParams: SearchParams }) {
  const { actor } = await requireUser()
  const { noun: picked } = await searchParams
  const described = endpoints.map(describeEndpoint)
  const nouns = [...groupBy(described, ({ tag }) => tag)]
  const shown = picked === undefined ? nouns[0] : nouns.find(([noun]) => noun === picked)
  return (
    <PageFrame kind="detail">
      <PageHead title="API">
        At <code className="font-mono">/api/v1</code>, with an{' '}
        <Link href="/account#api-keys" className="underline underline-offset-2">
          API key
        </Link>
        . Also as{' '}
        <a href="/api/openapi.json" className="underline underline-offset-2">
          OpenAPI
        </a>
        .
      </PageHead>
      <nav aria-label="Parts of the API" className="flex flex-wrap gap-x-4 gap-y-1">
        {nouns.map(([noun]) => (
          <Link
            key={noun}
            href={`/account/api?noun=${noun}`}
            aria-current={noun === shown?.[0] ? 'true' : undefined}
            className="font-mono text-link text-mono hover:underline aria-[current]:text-strong"
          >
            /{noun}
          </Link>
        ))}
      </nav>
      {shown && (
        <Section title={`/${shown[0]}`}>
          <ul className="divide-y rounded-md border bg-surface-1">
            {shown[1].map((endpoint) => (
              <li key={endpoint.id}>
                <EndpointDetails endpoint={endpoint} role={actor.role} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </PageFrame>
  )
}
