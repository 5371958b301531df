import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Waited } from '@/components/ui/waited'
import { longestTestMs } from '@/lib/domains/connections/longest-test'
import type { ConnectionErrors } from './connection-errors'
import { TestResult } from './test-result'
import type { useConnectionForm } from './use-connection-form'

type Form = ReturnType<typeof useConnectionForm>

/** The foot of a form: what its test found, what is wrong as a whole, and the buttons. */
export function FormEnd({
  state: { asked, errors, found, saving, testing, test },
  failed,
  button,
  children,
}: {
  state: Pick<Form, 'asked' | 'found' | 'saving' | 'testing' | 'test'> & {
    errors: ConnectionErrors
  }
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
      {errors.general && (
        <ErrorNotice title={asked === 'test' ? 'The connection was not tested' : failed}>
          {errors.general}
        </ErrorNotice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={saving}>
          {button}
        </Button>
        <Button loading={testing} disabled={saving} onClick={test}>
          Test
        </Button>
        {children}
        {testing && <Waited atMostMs={longestTestMs} />}
      </div>
    </>
  )
}
