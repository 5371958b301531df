import { endpoints } from '@toolgate/server/doors/api/endpoints'
import { describeEndpoint } from '@toolgate/server/doors/openapi'
import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead } from '@/components/shell/page-head'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { SideIndex } from '@/components/ui/side-index'
import { requireUser } from '@/lib/next/require-user'
import { EndpointDetails } from './endpoint-details'

export const metadata: Metadata = { title: 'API · Your account' }

export default async function ApiPage() {
  const { actor } = await requireUser()
  const described = endpoints.map(describeEndpoint)
  const nouns = [...new Set(described.map(({ tag }) => tag))]
  return (
    <PageFrame kind="detail" index={<SideIndex />}>
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
      {nouns.map((noun) => (
        <Section key={noun} id={noun} title={`/${noun}`}>
          <ul className="divide-y rounded-md border bg-surface-1">
            {described
              .filter(({ tag }) => tag === noun)
              .map((endpoint) => (
                <li key={endpoint.id}>
                  <EndpointDetails endpoint={endpoint} role={actor.role} />
                </li>
              ))}
          </ul>
        </Section>
      ))}
    </PageFrame>
  )
}
