import { passkeySite } from '@toolgate/server/auth/factors/passkey-challenge'
import type { SecondFactors } from '@toolgate/server/auth/factors/second-factor'
import { AddFactor } from './add-factor'
import { FactorList } from './factor-list'
import { NewCodesButton } from './recovery-codes'

/** Shows the second factors of the signed-in person, for an account with a password. */
export function OwnFactors({ factors: own }: { factors: SecondFactors }) {
  const { factors, recoveryCodesLeft, required } = own
  const site = passkeySite()
  return (
    <>
      <p className="text-muted">
        {required ? 'This site requires one.' : 'A passkey also replaces the password.'}
      </p>
      {factors.length > 0 && <FactorList factors={factors} required={required} />}
      <AddFactor noPasskeys={site.type === 'unavailable' ? site.reason : null} />
      {factors.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className={recoveryCodesLeft <= 3 ? 'text-warning' : 'text-muted'}>
            {recoveryCodesLeft === 1
              ? '1 recovery code left.'
              : `${recoveryCodesLeft} recovery codes left.`}
          </p>
          <NewCodesButton />
        </div>
      )}
    </>
  )
}
