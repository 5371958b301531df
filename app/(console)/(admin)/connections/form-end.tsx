import type { ReactNode } from 'react'
import { FormButtons } from '@/components/forms/form'
import { Button } from '@/components/ui/button'
import { Waited } from '@/components/ui/waited'
import { longestTestMs } from '@/lib/domains/connections/longest-test'
import { TestResult } from './test-result'
import type { ConnectionForm } from './use-connection-form'

/** The foot of a form: what its test found, what is wrong as a whole, and the buttons. */
export function FormEnd({
  state: { form, asked, found, testing, test },
  failed,
  button,
  children,
}: {
  state: ConnectionForm
  failed: string
  button: string
  children?: ReactNode
}) {
  return (
    <>
      <div role="status">
        {found && (
          <TestResult test={found}>
            {found.withheld && (
              <span className="text-muted text-sm">
                Tested without the stored key and headers, because they belong to another host.
              </span>
            )}
          </TestResult>
        )}
      </div>
      <FormButtons
        button={button}
        failed={asked === 'test' ? 'The connection was not tested' : failed}
      >
        <Button loading={testing} disabled={form.busy} onClick={test}>
          Test
        </Button>
        {children}
        {testing && <Waited atMostMs={longestTestMs} />}
      </FormButtons>
    </>
  )
}
