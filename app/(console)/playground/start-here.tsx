import { CircleDashed, SlidersHorizontal, Sparkles } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useId } from 'react'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import type { Role } from '@/lib/protocol/tool'
import type { ExampleGroup, MissingStep } from './example-groups'

/** Shows, before the first run, what happens here, and prompts to begin with, each with what must be done before it can work. */
export function StartHere({
  groups,
  onPick,
}: {
  groups: readonly ExampleGroup[]
  onPick: (prompt: string) => void
}) {
  return (
    <section
      aria-label="Start here"
      className="flex flex-col gap-3 rounded-md border border-dashed bg-surface-1 px-4 py-6"
    >
      <p className="max-w-[72ch] text-normal">
        Write a prompt{groups.length > 0 && ', or pick an example'}.
      </p>
      {groups.map(({ title, examples }) => (
        <Examples key={title} title={title}>
          {examples.map((example) => (
            <li key={example.prompt} className="flex flex-wrap items-center gap-x-3">
              {example.missing === null ? (
                <PickButton prompt={example.prompt} onPick={onPick} />
              ) : (
                <Later prompt={example.prompt} missing={example.missing} />
              )}
            </li>
          ))}
        </Examples>
      ))}
    </section>
  )
}

function Examples({ title, children }: { title: string | null; children: ReactNode }) {
  const id = useId()
  const list = 'flex flex-col items-start gap-1'
  if (title === null) return <ul className={list}>{children}</ul>
  return (
    <div className="flex flex-col gap-1">
      <h2 id={id} className="font-medium text-base">
        {title}
      </h2>
      <ul aria-labelledby={id} className={list}>
        {children}
      </ul>
    </div>
  )
}

function PickButton({ prompt, onPick }: { prompt: string; onPick: (prompt: string) => void }) {
  return (
    <button
      type="button"
      onClick={() => onPick(prompt)}
      className="flex min-h-8 items-center gap-2 rounded-md px-2 py-1 text-left text-link transition-colors hover:bg-surface-2 pointer-coarse:min-h-10"
    >
      <Sparkles className="size-4 shrink-0" aria-hidden />
      {prompt}
    </button>
  )
}

/** Shows a prompt that cannot work yet, with the one act that comes first. */
function Later({ prompt, missing: { words, href } }: { prompt: string; missing: MissingStep }) {
  return (
    <>
      <span className="flex min-h-8 items-center gap-2 px-2 py-1 text-muted">
        <CircleDashed className="size-4 shrink-0" aria-hidden />
        {prompt}
      </span>
      <span className="px-2 text-sm">
        {href === null ? (
          words
        ) : (
          <>
            First:{' '}
            <Link href={href} className="text-link underline underline-offset-2">
              {words}
            </Link>
          </>
        )}
      </span>
    </>
  )
}

/**
 * Says why nothing can be run, and what to do. `closed`: the number of configurations that exist but cannot be used
 * now.
 */
export function NoConfiguration({ role, closed }: { role: Role; closed: number }) {
  if (role === 'member') {
    return (
      <EmptyState icon={SlidersHorizontal} title="No configuration for you yet">
        Ask an admin to add you to a group.
      </EmptyState>
    )
  }
  if (closed > 0) {
    return (
      <EmptyState
        icon={SlidersHorizontal}
        title="No usable configuration"
        action={
          <Button asChild variant="primary">
            <Link href="/configurations">Open the configurations</Link>
          </Button>
        }
      >
        Each is off, or its model or connection is.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={SlidersHorizontal}
      title="No configurations yet."
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button asChild variant="primary">
            <Link href="/connect">Connect a model</Link>
          </Button>
          <Button asChild>
            <Link href="/configurations/new">Add a configuration</Link>
          </Button>
        </div>
      }
    >
      It sets which model runs a prompt.
    </EmptyState>
  )
}
