import type { ConnectionDetails } from '@toolgate/server/domains/connections/schemas'
import { ScanSearch } from 'lucide-react'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Section } from '@/components/ui/section'
import { countOf } from '@/lib/words/format'

const shown = 20

/** Lists the stored models of the connection, and links to the search for more. */
export function ModelsSection({ connection }: { connection: ConnectionDetails }) {
  const { id, users } = connection
  if (users.models.length === 0) {
    return (
      <Section title="Models">
        <EmptyState
          icon={ScanSearch}
          title="No models yet"
          action={
            <span className="flex flex-wrap justify-center gap-2">
              <Connect id={id} primary />
              <Discover id={id} />
            </span>
          }
        >
          Connect one, or discover what the provider offers.
        </EmptyState>
      </Section>
    )
  }
  return (
    <Section
      title="Models"
      action={
        <span className="flex flex-wrap gap-2">
          <Connect id={id} />
          <Discover id={id} />
        </span>
      }
    >
      <ul className="divide-y rounded-md border bg-surface-1">
        {users.models.slice(0, shown).map((model) => (
          <li key={model.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <Link
              href={`/models/${model.id}`}
              className="text-link [overflow-wrap:anywhere] hover:underline"
            >
              <VisibleText text={model.displayName} />
            </Link>
            {model.modelId !== model.displayName && (
              <code className="font-mono text-mono text-muted [overflow-wrap:anywhere]">
                <VisibleText text={model.modelId} />
              </code>
            )}
            {!model.enabled && <Badge>Off</Badge>}
          </li>
        ))}
      </ul>
      {users.models.length > shown && (
        <Link href={`/models?connection=${id}`} className="w-fit text-link hover:underline">
          All {countOf(users.models.length, 'model')}
        </Link>
      )}
    </Section>
  )
}

function Connect({ id, primary = false }: { id: string; primary?: boolean }) {
  return (
    <Button asChild variant={primary ? 'primary' : 'secondary'} size={primary ? 'md' : 'sm'}>
      <Link href={`/connect?connection=${id}`}>Connect a model</Link>
    </Button>
  )
}

function Discover({ id }: { id: string }) {
  return (
    <Button asChild size="sm">
      <Link href={`/models/discover?connection=${id}`}>
        <ScanSearch className="size-4" aria-hidden />
        Discover models
      </Link>
    </Button>
  )
}
