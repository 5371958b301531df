import { passkeySite } from '@/lib/auth/passkey-site'
import type { SecondFactors } from '@/lib/auth/second-factor'
import { AddFactor } from './add-factor'
import { FactorList } from './factor-list'
import { NewCodesButton } from './new-codes-button'

/** One's own second factors, for an account with a password. */
export function OwnFactors({ factors: own }: { factors: SecondFactors }) {
  const { factors, recoveryCodesLeft, required } = own
  const site = passkeySite()
  return (
    <>
      <p className="text-muted">
        {required
          ? 'This site requires a second factor beside your password.'
          : 'Beside your password, a passkey or the code of an app keeps others out who learned it.'}{' '}
        A passkey also signs you in alone.
      </p>
      {factors.length > 0 && <FactorList factors={factors} required={required} />}
      <AddFactor noPasskeys={site.type === 'unavailable' ? site.reason : null} />
      {factors.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className={recoveryCodesLeft <= 3 ? 'text-warning' : 'text-muted'}>
            {recoveryCodesLeft === 1
              ? '1 recovery code is left.'
              : `${recoveryCodesLeft} recovery codes are left.`}
          </p>
          <NewCodesButton />
        </div>
      )}
    </>
  )
}
