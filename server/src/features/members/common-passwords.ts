/** Long enough, and among the first that anybody tries: of public lists of leaked passwords, those of ten characters and more. */
const common = `
1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qaz2wsx3edc4rfv q1w2e3r4t5 q1w2e3r4t5y6 zaq12wsxcde3 zaq1xsw2cde3 qwertyuiop qwertyuiop123
qwerty12345 qwerty123456 qwerty1234567890 qwertyuiopasdfghjkl asdfghjkl1 asdfghjkl123 asdfghjklç zxcvbnm123 zxcvbnm1234 qazwsxedc123
password12 password123 password1234 password12345 password123456 passw0rd123 p@ssw0rd123 p@ssword123 p@ssw0rd1234 mypassword123
password1! password123! password@123 password2024 password2025 password2026 letmein1234 letmein12345 welcome123 welcome1234 welcome@123
administrator administrador admin12345 admin123456 admin@12345 adminadmin root123456 superuser1 changeme123 changeme1234 default123
iloveyou12 iloveyou123 iloveyou1234 ilovemyself princess123 sunshine123 football123 baseball123 superman123 spiderman123 pokemon1234
dragon12345 monkey12345 abcdefghij abcdefghijk abcdefghijkl abcd123456 abc1234567 abc12345678 abc123456789 abcde12345 a123456789
a1234567890 aa12345678 aa123456789 1234567890a 123456789a 1234567890q 12345qwert 123456qwerty 123qwe123qwe qwe123qwe123 qweasdzxc123
q1w2e3r4t5y6u7 google12345 facebook123 whatsapp123 instagram123 computador computador1 computer123 internet123 testtest123 teste12345
teste123456 mudar12345 mudar123456 senha12345 senha123456 senha1234567 senha123456789 senha@12345 minhasenha minhasenha1 minhasenha123
senhasenha senha2024! senha2025! senha2026! trocar12345 trocarsenha brasil12345 brasil2024 brasil2025 brasil2026 flamengo12 flamengo123
flamengo1981 corinthians corinthians1 corinthians10 corinthians12 palmeiras1 palmeiras12 palmeiras123 saopaulo12 saopaulofc saopaulo123
santos12345 vasco12345 gremio12345 cruzeiro123 atletico123 internacional botafogo123 fluminense fluminense1 fluminense12 jesuscristo
jesuscristo1 jesus12345 deusefiel1 deusefiel123 deusehfiel amordaminhavida minhavida1 minhafamilia familia123 estrela123 princesa123
gabriel123 fernanda123 eusouamor meuamor123 meuamor1234 teamomuito teamomuito1 amoreterno amoreterno1 bemvindo123 bemvindo1234
felicidade felicidade1 liberdade1 liberdade123 charlie123 michael123 jordan12345 trustno1123 starwars123 whatever123 mustang1234
qwertyqwerty asdfasdfasdf asdfasdf123 zxczxczxc1 passwordpassword loveyou123 secret12345 access12345 master12345 hello12345 hello123456
`
const known: ReadonlySet<string> = new Set(common.trim().split(/\s+/))

/** As NIST SP 800-63B asks: why this is a password that anybody tries first; null: it is none. */
export function commonPasswordReason(password: string): 'password_digits' | 'password_common' | null {
  const text = password.trim().toLowerCase()
  if (/^[\d\s.:,\-/+()]*$/.test(text)) return 'password_digits'
  // A sign at the end, and one or two characters again and again, make no other password.
  const bare = text.replace(/[!@#$%&*.?_-]+$/, '')
  return known.has(text) || known.has(bare) || new Set(text).size <= 2 ? 'password_common' : null
}
