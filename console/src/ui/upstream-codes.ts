import { useTranslation } from 'react-i18next'

/** The errors of the upstream platform that there are words for. */
const known: ReadonlySet<number> = new Set([
  0, 1, 2, 3, 4, 10, 33, 100, 190, 200, 368, 80007, 80008, 130403, 130429, 130472, 130497, 130501, 131000, 131005, 131008, 131009, 131016,
  131020, 131021, 131026, 131030, 131031, 131037, 131041, 131042, 131043, 131044, 131045, 131047, 131048, 131049, 131050, 131051, 131052,
  131053, 131055, 131056, 131057, 131059, 131060, 131062, 131063, 131064, 131201, 131207, 131208, 132000, 132001, 132005, 132007, 132012,
  132015, 132016, 132018, 132068, 132069, 133000, 133004, 133005, 133006, 133008, 133009, 133010, 133015, 133016, 134011, 134100, 134101,
  134102, 135000, 137000,
])

/** Says in plain words what an error of the upstream platform means, and what to do about it. Null: an error of ours, without a code. */
export function useUpstreamAdvice(): (code: number | null) => { title: string; advice: string } {
  const { t } = useTranslation('upstream_codes')
  return (code) => {
    if (code === null) return { title: t('without_code.title'), advice: t('without_code.advice') }
    if (!known.has(code)) return { title: t('unknown.title'), advice: t('unknown.advice') }
    return { title: t(`code.${code}.title`), advice: t(`code.${code}.advice`) }
  }
}
