/** An emoji with the words by which it is found, in both languages. */
export type Emoji = { emoji: string; pt: string; en: string }
export type EmojiGroup = 'faces' | 'hands' | 'hearts' | 'things' | 'food' | 'travel' | 'nature' | 'signs'

const lines: Readonly<Record<EmojiGroup, string>> = {
  faces: `😀 sorriso feliz|grin happy
😃 sorriso alegre|smile joy
😄 sorriso olhos|smile eyes
😁 sorriso dentes|beaming grin
😆 risada|laughing
😅 alívio suor|sweat relief
🤣 rolando de rir|rolling laughing
😂 chorando de rir|tears of joy laughing
🙂 sorriso leve|slight smile
🙃 de cabeça para baixo|upside down
😉 piscada|wink
😊 sorriso tímido|blush smile
😇 anjo santo|angel halo
🥰 apaixonado corações|in love hearts
😍 olhos de coração|heart eyes
🤩 estrelas incrível|star struck
😘 beijo|kiss
😋 delicioso|yummy tasty
😜 língua piscada|tongue wink
🤪 maluco|zany crazy
🤗 abraço|hug
🤭 mão na boca|oops giggle
🤫 silêncio segredo|quiet secret
🤔 pensando dúvida|thinking
🫡 continência sim senhor|salute
🤐 boca fechada|zipper mouth
😐 neutro|neutral
😑 sem expressão|expressionless
😶 sem boca|no mouth
😏 malicioso|smirk
😒 aborrecido|unamused
🙄 revirar os olhos|eye roll
😬 careta|grimace
😌 aliviado|relieved
😔 triste pensativo|pensive sad
😪 sono|sleepy
😴 dormindo|sleeping
😷 máscara doente|mask sick
🤒 febre doente|fever sick
🤕 machucado|hurt bandage
🤧 espirro gripe|sneeze cold
🥵 calor|hot
🥶 frio|cold
🤯 cabeça explodindo|mind blown
🥳 festa|party
😎 óculos legal|cool sunglasses
🤓 nerd|nerd
🧐 monóculo investigar|monocle
😕 confuso|confused
😟 preocupado|worried
🙁 triste|frown
😮 surpresa|surprised
😲 espantado|astonished
😳 envergonhado|flushed
🥺 por favor súplica|pleading please
😢 choro|cry
😭 choro alto|sobbing
😱 grito medo|scream fear
😖 aflito|confounded
😞 decepcionado|disappointed
😓 suor cansado|downcast sweat
😩 exausto|weary
😤 bufando|huffing
😡 raiva|angry rage
🤬 xingando|cursing
💀 caveira|skull
💩 cocô|poop
🤖 robô|robot
🙈 macaco não vejo|monkey see no evil`,
  hands: `👍 joinha sim certo|thumbs up yes
👎 não ruim|thumbs down no
👌 ok perfeito|ok perfect
🤌 dedos italiano|pinched fingers
✌️ vitória paz|victory peace
🤞 dedos cruzados sorte|fingers crossed luck
🤝 aperto de mão acordo|handshake deal
🙏 obrigado por favor oração|thanks please pray
👏 palmas parabéns|clap bravo
🙌 mãos para cima viva|raised hands hooray
👐 mãos abertas|open hands
🤲 palmas juntas|palms together
👋 oi tchau aceno|wave hello bye
✋ mão pare|hand stop
🖐️ mão aberta|hand
👊 soco|fist bump
✊ punho|raised fist
🤙 me liga|call me
👉 aponta direita|point right
👈 aponta esquerda|point left
👆 aponta cima|point up
👇 aponta baixo|point down
☝️ um atenção|one attention
💪 força braço|strong muscle
✍️ escrevendo assinar|writing sign
💅 unhas|nails
👀 olhos vendo|eyes looking
👂 ouvido|ear
🧠 cérebro|brain
🙋 mão levantada eu|raising hand me
🤷 não sei|shrug
🤦 mão no rosto|facepalm
🙆 tudo bem|ok gesture
🙅 não pode|no gesture
💁 informação|information desk
👨‍💻 programador computador|developer computer
👩‍💼 executiva trabalho|office worker
👷 obra construção|construction worker
👨‍🍳 cozinheiro|cook
👩‍⚕️ médica|doctor
🧑‍🔧 mecânico técnico|mechanic
🚶 andando|walking
🏃 correndo|running
👪 família|family
👶 bebê|baby`,
  hearts: `❤️ coração vermelho amor|red heart love
🧡 coração laranja|orange heart
💛 coração amarelo|yellow heart
💚 coração verde|green heart
💙 coração azul|blue heart
💜 coração roxo|purple heart
🖤 coração preto|black heart
🤍 coração branco|white heart
🤎 coração marrom|brown heart
💔 coração partido|broken heart
💕 dois corações|two hearts
💖 coração brilhando|sparkling heart
💘 coração flecha|heart arrow
💝 coração presente|heart gift
💯 cem perfeito|hundred perfect
✨ brilho|sparkles
⭐ estrela|star
🌟 estrela brilhando|glowing star
🔥 fogo|fire hot
💥 explosão|boom
🎉 festa parabéns|party congratulations
🎊 confete|confetti
🎁 presente|gift
🎂 bolo aniversário|birthday cake
🎈 balão|balloon
🏆 troféu|trophy
🥇 medalha ouro|gold medal
🎯 alvo|target
👑 coroa|crown
💎 diamante|diamond`,
  things: `📦 pacote encomenda|package parcel
🚚 caminhão entrega|truck delivery
🛒 carrinho compras|shopping cart
🛍️ sacolas compras|shopping bags
💳 cartão crédito|credit card
💰 dinheiro saco|money bag
💵 dinheiro nota|cash money
🧾 recibo nota fiscal|receipt invoice
📄 documento página|document page
📎 clipe anexo|paperclip attachment
📌 alfinete fixo|pin
📍 local mapa|location pin
📅 calendário data|calendar date
🗓️ agenda|calendar
⏰ despertador hora|alarm clock
⏳ ampulheta espera|hourglass wait
🕐 relógio hora|clock
📞 telefone|phone
📱 celular|mobile phone
💻 notebook computador|laptop
🖨️ impressora|printer
📷 câmera foto|camera photo
🎥 filmadora vídeo|video camera
🎤 microfone|microphone
🎧 fone música|headphones music
🎵 música nota|music note
📧 e-mail|email
✉️ carta envelope|envelope letter
📬 caixa de correio|mailbox
📝 anotação lápis|memo note
✏️ lápis|pencil
📚 livros|books
🔑 chave|key
🔒 cadeado fechado|lock
🔓 cadeado aberto|unlock
🔧 chave inglesa conserto|wrench repair
🔨 martelo|hammer
⚙️ engrenagem configurar|gear settings
💡 ideia lâmpada|idea light bulb
🔋 bateria|battery
🔌 tomada|plug
🧹 vassoura limpeza|broom cleaning
🧼 sabonete|soap
🛏️ cama|bed
🚪 porta|door
👕 camiseta roupa|t-shirt clothes
👗 vestido|dress
👟 tênis|sneaker
👓 óculos|glasses
💊 remédio|pill medicine
💉 injeção vacina|syringe vaccine
📊 gráfico barras|bar chart
📈 subindo gráfico|chart up
📉 caindo gráfico|chart down
🗂️ arquivo pastas|folders files
📢 anúncio|announcement
🔔 sino aviso|bell notice
🔕 sino mudo|bell muted`,
  food: `☕ café|coffee
🍵 chá|tea
🥛 leite|milk
🧃 suco|juice
🍺 cerveja|beer
🍻 brinde cerveja|cheers beer
🍷 vinho|wine
🥂 brinde espumante|toast champagne
🍞 pão|bread
🥐 croissant|croissant
🥖 baguete pão|baguette
🧀 queijo|cheese
🥚 ovo|egg
🥓 bacon|bacon
🍔 hambúrguer|burger
🍟 batata frita|fries
🍕 pizza|pizza
🌭 cachorro-quente|hot dog
🥪 sanduíche|sandwich
🌮 taco|taco
🍝 macarrão|pasta
🍲 panela sopa|stew soup
🍛 arroz curry|curry rice
🍣 sushi|sushi
🍗 frango|chicken
🥩 carne|meat
🥗 salada|salad
🍎 maçã|apple
🍌 banana|banana
🍊 laranja|orange
🍋 limão|lemon
🍉 melancia|watermelon
🍇 uva|grapes
🍓 morango|strawberry
🥭 manga|mango
🍍 abacaxi|pineapple
🥥 coco|coconut
🥑 abacate|avocado
🍅 tomate|tomato
🥕 cenoura|carrot
🍫 chocolate|chocolate
🍪 biscoito|cookie
🍰 fatia bolo|cake slice
🍦 sorvete|ice cream
🍿 pipoca|popcorn`,
  travel: `🏠 casa|house home
🏢 prédio escritório|office building
🏪 loja|store
🏥 hospital|hospital
🏦 banco|bank
🏫 escola|school
🏨 hotel|hotel
⛪ igreja|church
🚗 carro|car
🚕 táxi|taxi
🚌 ônibus|bus
🏍️ moto|motorcycle
🛵 motoneta entrega|scooter delivery
🚲 bicicleta|bicycle
🚂 trem|train
✈️ avião viagem|airplane travel
🚀 foguete|rocket
🚢 navio|ship
⛽ gasolina|fuel
🚦 semáforo|traffic light
🚧 obras|construction
🗺️ mapa|map
🧭 bússola|compass
🏖️ praia|beach
⛰️ montanha|mountain
🌍 mundo|world
🇧🇷 brasil bandeira|brazil flag
🏁 chegada bandeira|finish flag
⚽ futebol bola|soccer ball
🏀 basquete|basketball
🎾 tênis raquete|tennis
🎮 jogo videogame|video game
🎬 cinema|movie
🎨 pintura arte|art palette`,
  nature: `☀️ sol|sun
🌤️ sol nuvem|sun cloud
☁️ nuvem|cloud
🌧️ chuva|rain
⛈️ tempestade|storm
⚡ raio energia|lightning energy
❄️ neve frio|snow cold
🌈 arco-íris|rainbow
🌙 lua|moon
🌊 onda mar|wave sea
💧 gota água|drop water
🌱 muda planta|seedling plant
🌳 árvore|tree
🌴 palmeira|palm tree
🌵 cacto|cactus
🌹 rosa|rose
🌻 girassol|sunflower
🌸 flor|blossom flower
💐 buquê flores|bouquet flowers
🍀 trevo sorte|clover luck
🍂 folhas outono|autumn leaves
🐶 cachorro|dog
🐱 gato|cat
🐭 rato|mouse
🐰 coelho|rabbit
🦊 raposa|fox
🐻 urso|bear
🐼 panda|panda
🦁 leão|lion
🐮 vaca|cow
🐷 porco|pig
🐔 galinha|chicken
🐦 pássaro pombo|bird
🕊️ pomba paz|dove peace
🐴 cavalo|horse
🐝 abelha|bee
🦋 borboleta|butterfly
🐢 tartaruga|turtle
🐟 peixe|fish
🐬 golfinho|dolphin`,
  signs: `✅ certo feito|check done
☑️ caixa marcada|checked box
✔️ certo|check mark
❌ errado não|cross no
❎ xis|cross button
⚠️ atenção cuidado|warning
❗ exclamação|exclamation
❓ pergunta|question
‼️ duas exclamações|double exclamation
⛔ proibido|no entry
🚫 não permitido|prohibited
🆗 ok|ok button
🆕 novo|new
🆓 grátis|free
🔝 topo|top
🔜 em breve|soon
➡️ seta direita|arrow right
⬅️ seta esquerda|arrow left
⬆️ seta cima|arrow up
⬇️ seta baixo|arrow down
🔄 atualizar|refresh
➕ mais|plus
➖ menos|minus
✖️ vezes|multiply
🟢 verde círculo|green circle
🟡 amarelo círculo|yellow circle
🔴 vermelho círculo|red circle
🔵 azul círculo|blue circle
⚫ preto círculo|black circle
⚪ branco círculo|white circle
1️⃣ um|one
2️⃣ dois|two
3️⃣ três|three
4️⃣ quatro|four
5️⃣ cinco|five
💬 balão conversa|speech bubble
💭 pensamento|thought bubble
💤 sono|zzz sleep
♻️ reciclar|recycle
©️ direitos|copyright`,
}

export const groups = Object.keys(lines) as EmojiGroup[]

export const emojis: Readonly<Record<EmojiGroup, readonly Emoji[]>> = Object.fromEntries(
  Object.entries(lines).map(([group, text]) => [group, text.split('\n').map(read)]),
) as Record<EmojiGroup, Emoji[]>

function read(line: string): Emoji {
  const [emoji = ''] = line.split(' ', 1)
  const [pt = '', en = ''] = line.slice(emoji.length + 1).split('|')
  return { emoji, pt, en }
}

/** Those that one of the words of the search begins, in either language, whatever their accents. */
export function findEmojis(search: string): Emoji[] {
  const wanted = plain(search).split(/\s+/)
  return groups
    .flatMap((group) => emojis[group])
    .filter(({ pt, en }) => {
      const words = plain(`${pt} ${en}`).split(' ')
      return wanted.every((each) => words.some((word) => word.startsWith(each)))
    })
}

const plain = (text: string) => text.trim().toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
