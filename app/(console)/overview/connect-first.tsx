import { Cable } from 'lucide-react'
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'

const steps = [
  { href: '/playground', label: 'Run a prompt' },
  { href: '/tools', label: 'Decide about tools' },
  { href: '/budgets', label: 'Set a budget' },
  { href: '/users', label: 'Invite people' },
] as const

/**
 * Prompts the admin to connect the first model. `hasDemo`: also links to the demo. `withSteps`: also lists the steps
 * that follow.
 */
export function ConnectFirst({ hasDemo, withSteps }: { hasDemo: boolean; withSteps: boolean }) {
  return (
    <>
      <section className="flex flex-col items-start gap-3 rounded-md border bg-surface-1 p-4">
        <h2 className="flex items-center gap-2 text-lg">
          <Cable className="size-4 shrink-0 text-link" aria-hidden />
          Connect a model
        </h2>
        <p className="max-w-[72ch]">Pick a provider and paste its key.</p>
        <div className="flex flex-wrap gap-2">
          <Button asChild variant="primary">
            <Link href="/connect">Connect a model</Link>
          </Button>
          {hasDemo && (
            <Button asChild>
              <Link href="/playground">Try the demo</Link>
            </Button>
          )}
        </div>
      </section>
      {withSteps && (
        <Section title="Next">
          <ol className="flex list-decimal flex-col gap-1 pl-5">
            {steps.map(({ href, label }) => (
              <li key={href}>
                <Link href={href} className="text-link underline underline-offset-2">
                  {label}
                </Link>
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  )
}
